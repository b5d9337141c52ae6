// check: --ltl "idle"U"busy" --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int idle = 1, busy;
int main(void) { //~ TRUE
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n = n - 1;
    busy = 1;
    idle = 0;
    return 0;
}
