// check: --entry f --arguments any
// b may be a - 1 inside of one array.
extern void reach_error(void);
int f(int *a, int *b) { a[0] = 1; b[1] = 2; if (a[0] == 2) reach_error(); //~ never TRUE
    return 0; }
