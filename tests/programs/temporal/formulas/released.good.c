// check: --ltl G("held"->F"!held") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int held;
int main(void) { //~ TRUE
    while (__VERIFIER_nondet_int()) {
        held = 1;
        if (__VERIFIER_nondet_int())
            held = 0;
        held = 0;
    }
    return 0;
}
