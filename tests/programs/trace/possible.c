// check:
// A way to the error that no run is known to take is shown as what it is, with what it takes for granted.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[4];
int main(void) { //~ never TRUE //~ note: possible violation, not confirmed by a run
    int i = __VERIFIER_nondet_int(); //~ note: int i = __VERIFIER_nondet_int();   [i = 5 (assumed)]
    if (i == 5) {
        a[i] = 1; //~ UNKNOWN the way to the error that was found has undefined behaviour //~ note: a[i] = 1;
        reach_error(); //~ note: reach_error();
    } //~ note: would violate: call of `reach_error`
    return 0;
}
