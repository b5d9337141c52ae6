// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
// Unsigned words wrap, and come by 7.
int main(void) { //~ never FALSE
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    while (c != 7) //~ UNKNOWN no candidates are an inductive invariant
        c = (unsigned char)(c + 1);
    return 0;
}
