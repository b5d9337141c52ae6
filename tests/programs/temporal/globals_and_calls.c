// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
static int left;
static void step(void) { left--; }
int main(void) { //~ never FALSE //~ UNKNOWN no candidates are an inductive invariant
    left = __VERIFIER_nondet_int();
    while (left > 0)
        step();
    return 0;
}
