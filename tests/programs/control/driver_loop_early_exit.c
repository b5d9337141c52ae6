// check:
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int lock;
int main(void) {
    int old, new;
    do {
        if (lock != 0) __VERIFIER_error();
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) {
            lock = 0;
            if (__VERIFIER_nondet_int() == 7) break; //~ input: 7
            new++;
        }
    } while (new != old);
    if (lock == 0) __VERIFIER_error(); //~ FALSE
    lock = 0;
    return 0;
}
