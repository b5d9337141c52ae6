// check: --confirm
extern void reach_error(void);
extern long double __VERIFIER_nondet_longdouble(void);
int main(void) { //~ note: confirmed by running the compiled program
    long double d = __VERIFIER_nondet_longdouble();
    if (d == 0.1L)
        reach_error(); //~ FALSE
    return 0;
}
