void spin_lock(int *), spin_unlock(int *);
int __VERIFIER_nondet_int(void);
int lock;
int main(void) {
    spin_lock(&lock);
    if (__VERIFIER_nondet_int() == 3)
        spin_unlock(&lock);
    spin_unlock(&lock);
    return 0;
}
