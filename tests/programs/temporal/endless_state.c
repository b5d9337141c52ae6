// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int(); //~ input: 5
    while (i > 0) { //~[induction] FALSE termination: the run does not end
        if (i != 5)
            i = i - 1;
    }
    return 0;
}
