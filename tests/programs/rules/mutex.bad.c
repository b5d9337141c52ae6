// check: --rule mutex --confirm
struct mutex { int count; };
int __VERIFIER_nondet_int(void);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
void mutex_destroy(struct mutex *m);
int mutex_trylock(struct mutex *m) { return 1; }
int mutex_lock_interruptible(struct mutex *m) { return m->count; }

static struct mutex a, b, interrupted = { -4 };

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
        mutex_lock(&a);
        mutex_lock(&a); //~ FALSE mutex: the mutex is locked although it is locked already
        break;
    case 1:
        mutex_trylock(&a);
        mutex_lock_interruptible(&a); //~ FALSE mutex: the mutex is locked although it is locked already
        break;
    case 2:
        mutex_lock_interruptible(&interrupted);
        mutex_unlock(&interrupted); //~ FALSE mutex: the mutex is unlocked although it is not locked
        break;
    case 3:
        mutex_lock(&b);
        mutex_destroy(&b); //~ FALSE mutex: the mutex is destroyed while it is locked
        break;
    case 4:
        mutex_lock_interruptible(&a);
        break;
    }
    return 0; //~ FALSE mutex: the mutex is still locked when the program ends
}
//~ note: confirmed by running the compiled program
