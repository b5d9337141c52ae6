// check: --ltl G("request"->F"answer")
// engines: slam
extern int __VERIFIER_nondet_int(void);
int request, answer;
int main(void) {
    request = 1;
    int work = 3;
    while (work > 0)
        work = work - 1;
    if (__VERIFIER_nondet_int()) //~ note: look at 1. 10: if
        answer = 1;
    return 0; //~ FALSE valid-ltl
}
