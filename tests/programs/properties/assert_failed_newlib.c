// check:
extern int __VERIFIER_nondet_int(void);
extern void __assert_func(const char *, int, const char *, const char *);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    if (x == 4)
        __assert_func("f.c", 6, __func__, "x != 4"); //~ FALSE: assertion `x != 4`
    if (x == 4 && y == 0)
        __assert_func("f.c", 8, __func__, "unreachable");
    return 0;
}
