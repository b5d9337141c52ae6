// check: --ltl G("request"->F"answer") --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
int request, answer;
int main(void) { //~ TRUE
    request = 1;
    int work = 3;
    while (work > 0)
        work = work - 1;
    answer = 1;
    return 0;
}
