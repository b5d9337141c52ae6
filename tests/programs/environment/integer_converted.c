// check: --entry f --arguments any
extern void reach_error(void);
int f(unsigned long a, unsigned long b) { int *p = (int *)a, *q = (int *)b; *p = 1; *q = 2; if (*p == 2) reach_error(); //~ never TRUE
    return 0; }
