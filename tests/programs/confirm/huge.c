// check: --confirm
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) { //~ note: confirmed by running the compiled program
    double d = __VERIFIER_nondet_double(); //~ input: 1e300
    if (d == 1e300)
        reach_error(); //~ FALSE
    return 0;
}
