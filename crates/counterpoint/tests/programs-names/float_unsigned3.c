extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double d = __VERIFIER_nondet_double();
    unsigned u = (unsigned)d;
    if (d < -5.0 && u == 7) reach_error();
    return 0;
}
