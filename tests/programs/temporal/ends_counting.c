// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
int main(void) { //~[induction] TRUE
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
    }
    return 0;
}
