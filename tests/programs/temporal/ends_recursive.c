// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
static unsigned sum(int n) { return n <= 0 ? 0 : n % 7 + sum(n - 1); }
int main(void) { //~[induction] TRUE
    return (int)sum(__VERIFIER_nondet_int());
}
