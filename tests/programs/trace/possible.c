// check:
// A way to the error that no run is known to take is shown as what it is, with what it takes for granted.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) { //~ never TRUE //~ note: possible violation, not confirmed by a run
    double d = __VERIFIER_nondet_double(); //~ note: double d = __VERIFIER_nondet_double();
    unsigned u = (unsigned)d; //~ UNKNOWN the way to the error that was found has undefined behaviour
    if (d < -5.0 && u == 7)
        reach_error(); //~ note: reach_error();
    return 0; //~ note: would violate: call of `reach_error`
}
