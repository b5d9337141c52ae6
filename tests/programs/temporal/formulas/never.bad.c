// check: --ltl G"x<10" --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
    while (__VERIFIER_nondet_int())
        if (x < 10)
            x = x + 1; //~ FALSE valid-ltl
    return 0;
}
