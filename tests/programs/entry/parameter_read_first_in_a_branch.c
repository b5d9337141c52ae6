// check: --entry entry --arguments any
// engines: bounded
// A parameter has one value, on whichever way it is read first.
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int entry(int *p, int n) { //~ TRUE
    __VERIFIER_assume(*p >= 0 && n >= 0 && n < 2);
    int k = 3;
    while (k-- > 0 && (70000 & n)) {}
    if (k + n == 4)
        reach_error();
    return 0;
}
