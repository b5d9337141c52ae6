// check: --ltl F(G"ready") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int ready;
int main(void) {
    while (1) { //~ FALSE valid-ltl
        ready = 1;
        ready = 0;
    }
}
