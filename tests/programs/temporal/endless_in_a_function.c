// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
static int turn;
static void wait(void) {
    while (turn != 1) //~[induction] FALSE termination: the run does not end
        ;
}
int main(void) {
    turn = __VERIFIER_nondet_int();
    wait();
    return 0;
}
