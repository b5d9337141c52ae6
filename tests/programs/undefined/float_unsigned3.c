// check:
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double d = __VERIFIER_nondet_double();
    unsigned u = (unsigned)d; //~ UNKNOWN the way to the error that was found has undefined behaviour: a floating-point value does not fit the integer type that it is converted to,
    if (d < -5.0 && u == 7) reach_error(); //~ never TRUE
    return 0;
}
