// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5)
        goto inside;
    while (x > 0) { //~ never FALSE //~ UNKNOWN a loop with several entries
        x = x - 1;
inside:
        x = x - 1;
    }
    return 0;
}
