// check: --property termination
// engines: slam
extern int __VERIFIER_nondet_int(void);
int main(void) { //~ TRUE
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        while (y > 0)
            y = y - 1;
        x = x - 1;
    }
    return 0;
}
