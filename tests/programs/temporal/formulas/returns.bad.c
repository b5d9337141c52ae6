// check: --ltl G(call(enter)->F(return(enter))) --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
static int enter(void) {
    while (__VERIFIER_nondet_int()) //~ FALSE valid-ltl
        ;
    return 0;
}
int main(void) {
    enter();
    return 0;
}
