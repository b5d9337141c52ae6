// check: --ltl F(G"ready") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int ready;
int main(void) { //~ TRUE
    ready = 1;
    while (__VERIFIER_nondet_int())
        ready = 1;
    return 0;
}
