// check: --error-function reach_error
// Compilers warn of this, and convert the number.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
int main(void) { //~ TRUE
    int *p = __VERIFIER_nondet_int() ? &x : 4;
    if (p == &x) {
        *p = 3;
        if (x != 3)
            reach_error();
    }
    return 0;
}
