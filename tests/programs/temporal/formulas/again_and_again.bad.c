// check: --ltl G(F"tick")
// engines: slam
extern int __VERIFIER_nondet_int(void);
int tick;
int main(void) {
    while (1) { //~ FALSE valid-ltl
        if (__VERIFIER_nondet_int()) //~ note: look at 1. 7: if
            tick = 1;
        tick = 0;
    }
}
