// check: --ltl F"done" --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int done;
int main(void) { //~ TRUE
    int i = __VERIFIER_nondet_int();
    while (i > 0)
        i = i - 1;
    done = 1;
    return 0;
}
