// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
// The state is another in every round, and at last the sum overflows.
int main(void) { //~ never TRUE //~ never FALSE //~ UNKNOWN no candidates are an inductive invariant
    int i = 0;
    while (i >= 0)
        i = i + 1;
    return 0;
}
