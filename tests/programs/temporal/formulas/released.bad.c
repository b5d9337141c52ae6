// check: --ltl G("held"->F"!held")
// engines: slam
extern int __VERIFIER_nondet_int(void);
int held;
int main(void) {
    while (__VERIFIER_nondet_int()) { //~ FALSE valid-ltl
        held = 1;
        if (__VERIFIER_nondet_int()) //~ note: look at 1. 8: if
            continue;
        held = 0;
    }
    return 0; //~ FALSE valid-ltl
}
