// check: --confirm
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) { //~ note: confirmed by running the compiled program
    double d = __VERIFIER_nondet_double(); //~ input: 5e-324
    if (d > 0 && d == 5e-324)
        reach_error(); //~ FALSE
    return 0;
}
