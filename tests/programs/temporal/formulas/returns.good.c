// check: --ltl G(call(enter)->F(return(enter))) --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
static int enter(void) { return __VERIFIER_nondet_int(); }
int main(void) { //~ TRUE
    if (__VERIFIER_nondet_int())
        enter();
    return 0;
}
