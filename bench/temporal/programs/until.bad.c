// check: --ltl "idle"U"busy" --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int idle = 1, busy;
int main(void) {
    idle = 0; //~ FALSE valid-ltl
    busy = 1;
    return 0; //~ FALSE valid-ltl
}
