// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
// The state has what lies in memory, too.
int main(void) {
    int a[3] = {0, 0, 0};
    int *p = a;
    while (a[2] < 5) { //~[induction] FALSE termination: the run does not end
        *p = !*p;
        p[1] = *p;
    }
    return 0;
}
