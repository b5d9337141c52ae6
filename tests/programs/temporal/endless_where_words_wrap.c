// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
// From an odd number on, steps of two never come to 0; numbers of eight bits come back soon.
int main(void) {
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    while (c != 0) //~[induction] FALSE termination: the run does not end
        c = (unsigned char)(c - 2);
    return 0;
}
