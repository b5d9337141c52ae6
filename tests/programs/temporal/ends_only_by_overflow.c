// check: --property termination
// engines: induction
// A signed number that overflows need not wrap around, and then nothing ends the loop.
extern int __VERIFIER_nondet_int(void);
int main(void) { //~ never TRUE //~ never FALSE //~ UNKNOWN it holds where signed numbers that overflow wrap around
    int c = __VERIFIER_nondet_int();
    while (c > 0)
        c = c + 1;
    return 0;
}
