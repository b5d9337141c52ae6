// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = 1;
    while (i >= 0) //~[induction] FALSE termination: the run does not end
        i = __VERIFIER_nondet_int();
    return 0;
}
