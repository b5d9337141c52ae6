// check: --entry f --arguments any
// C's typing says that these are apart.
extern void reach_error(void);
int f(float *p, int *q) { *q = 1; *p = 2.0f; if (*q != 1) reach_error(); //~ never FALSE
    return 0; }
