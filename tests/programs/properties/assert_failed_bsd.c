// check: --confirm
extern int __VERIFIER_nondet_int(void);
extern void __assert(const char *, const char *, int);
int main(void) { //~ note: confirmed by
    int x = __VERIFIER_nondet_int();
    (x == 4) ? __assert("x != 4", "f.c", 5) : (void)0; //~ FALSE: assertion `x != 4`
    return 0;
}
