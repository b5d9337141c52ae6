// check: --ltl G("held"->F"!held") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int held;
int main(void) {
    while (__VERIFIER_nondet_int()) { //~ FALSE valid-ltl
        held = 1;
        if (__VERIFIER_nondet_int())
            continue;
        held = 0;
    }
    return 0; //~ FALSE valid-ltl
}
