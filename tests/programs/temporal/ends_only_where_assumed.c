// check: --property termination
// engines: slam
extern int __VERIFIER_nondet_int(void);
// A run that ends at an assumption ends.
extern void __VERIFIER_assume(int);
int main(void) { //~ TRUE
    int x = __VERIFIER_nondet_int();
    while (x != 0) {
        __VERIFIER_assume(x > 0);
        x = x - 1;
    }
    return 0;
}
