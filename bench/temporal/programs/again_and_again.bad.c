// check: --ltl G(F"tick") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int tick;
int main(void) {
    while (1) { //~ FALSE valid-ltl
        if (__VERIFIER_nondet_int())
            tick = 1;
        tick = 0;
    }
}
