// check: --ltl F(end&&"x==0") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int x = 4;
int main(void) {
    while (x > 1)
        x = x - 1;
    return 0; //~ FALSE valid-ltl
}
