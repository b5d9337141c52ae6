// check: --rule mutex
struct mutex { int count; };
int __VERIFIER_nondet_int(void);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
void mutex_destroy(struct mutex *m);
int mutex_trylock(struct mutex *m) { return __VERIFIER_nondet_int() & 1; }
int mutex_lock_interruptible(struct mutex *m) { return __VERIFIER_nondet_int() & 1 ? -4 : 0; }

static struct mutex a, b;

int main(void) { //~ TRUE
    int case_number = __VERIFIER_nondet_int();
    mutex_lock(&a);
    if (mutex_lock_interruptible(&b) == 0)
        mutex_unlock(&b);
    mutex_unlock(&a);
    if (mutex_trylock(&b))
        mutex_unlock(&b);
    mutex_destroy(&a);
    return 0;
}
