// check: --entry set --arguments any
// Two pointers to `int` may be the same, but they do not lead to the middle of each other's.
extern void reach_error(void);
extern void __VERIFIER_assume(int);
static _Bool flag;
static int set(int *p, int *q, int n) {
    if (!p || !q)
        return 0;
    __VERIFIER_assume(*p >= 0 && *p < 3 && *q >= 0 && *q < 3 && n >= 0 && n < 2);
    *p = 7 - *p;
    flag++;
    *q = flag;
    if (*p > 7)
        reach_error(); //~ never FALSE
    return 0;
}
int main(void) {
    return 0;
}
