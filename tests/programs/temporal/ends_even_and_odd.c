// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { //~[induction] TRUE
    return even((unsigned)__VERIFIER_nondet_int());
}
