// check: --ltl G(F"tick") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int tick;
int main(void) { //~ TRUE
    while (1) {
        tick = 1;
        tick = 0;
    }
}
