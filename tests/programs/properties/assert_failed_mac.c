// check: --confirm
extern int __VERIFIER_nondet_int(void);
extern void __assert_rtn(const char *, const char *, int, const char *);
int main(void) { //~ note: confirmed by
    int x = __VERIFIER_nondet_int();
    if (x == 4)
        __assert_rtn(__func__, "f.c", 6, "x != 4"); //~ FALSE: assertion `x != 4`
    return 0;
}
