// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
// Neither gets smaller in every round: first x, then y.
int main(void) { //~[induction] TRUE
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        if (__VERIFIER_nondet_int()) {
            x = x - 1;
            y = __VERIFIER_nondet_int();
        } else {
            y = y - 1;
        }
    }
    return 0;
}
