// check: --ltl "idle"U"busy"
// engines: slam
extern int __VERIFIER_nondet_int(void);
int idle = 1, busy;
int main(void) { //~ note: every run of the program fails
    idle = 0; //~ FALSE valid-ltl
    busy = 1;
    return 0; //~ FALSE valid-ltl
}
