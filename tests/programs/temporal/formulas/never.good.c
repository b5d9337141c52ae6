// check: --ltl G"x<10" --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) { //~ TRUE
    while (__VERIFIER_nondet_int())
        if (x < 9)
            x = x + 1;
    return 0;
}
