// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
int main(void) { //~[induction] TRUE
    return __VERIFIER_nondet_int() ? 1 : 2;
}
