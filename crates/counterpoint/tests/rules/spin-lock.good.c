void spin_lock(int *), spin_unlock(int *);
int __VERIFIER_nondet_int(void);
int lock;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        spin_lock(&lock);
        if (__VERIFIER_nondet_int()) {
            spin_unlock(&lock);
            continue;
        }
        spin_unlock(&lock);
    }
    return 0;
}
