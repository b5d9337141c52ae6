// check: --ltl F"done"
// engines: slam
extern int __VERIFIER_nondet_int(void);
int done;
int main(void) {
    int i = __VERIFIER_nondet_int();
    while (i != 0) //~ FALSE valid-ltl
        i = i > 7 ? i : 0; //~ note: look at 1. 8: i = i > 7
    done = 1;
    return 0;
}
