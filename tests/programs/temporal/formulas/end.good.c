// check: --ltl F(end&&"x==0") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int x = 4;
int main(void) { //~ TRUE
    while (x > 0)
        x = x - 1;
    return 0;
}
