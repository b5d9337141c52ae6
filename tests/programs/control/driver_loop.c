// check: --invariants
// The loop of the first papers on predicate abstraction: the lock is taken and given back in turn.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int lock;
int main(void) { //~ TRUE
    int old, new;
    do {
        if (lock != 0) __VERIFIER_error(); //~ invariant: lock == 0
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) { lock = 0; new++; }
    } while (new != old);
    if (lock == 0) __VERIFIER_error();
    lock = 0;
    return 0;
}
