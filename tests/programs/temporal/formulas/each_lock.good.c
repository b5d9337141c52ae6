// check: --ltl 'G(entry acquire(l, _) -> F entry release(l))' --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
struct lock {
    int held;
} a, b;
int acquire(struct lock *lock, int how) {
    lock->held = how;
    return how;
}
void release(struct lock *lock) { lock->held = 0; }
int main(void) { //~ TRUE
    while (__VERIFIER_nondet_int()) {
        struct lock *lock = __VERIFIER_nondet_int() ? &a : &b;
        acquire(lock, 1);
        release(lock);
    }
    return 0;
}
