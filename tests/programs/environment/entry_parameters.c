// check: --entry f --arguments any
extern void reach_error(void);
int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) reach_error(); //~ never TRUE
    return 0; }
