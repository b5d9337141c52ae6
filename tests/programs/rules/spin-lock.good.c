// check: --rule spin-lock
// Two locks, nested; one is tried first. The wrapper and what it is written with are one operation.
typedef struct { int raw; } spinlock_t;
int __VERIFIER_nondet_int(void);
void _raw_spin_lock(void *lock);
void spin_unlock(spinlock_t *lock);
int spin_trylock(spinlock_t *lock);
void spin_lock(spinlock_t *lock) { _raw_spin_lock(&lock->raw); }

static spinlock_t first, second;

static void nested(void) {
    spin_lock(&first);
    spin_lock(&second);
    spin_unlock(&second);
    spin_unlock(&first);
}

int main(void) { //~ TRUE
    void (*acquire)(spinlock_t *) = spin_lock;
    nested();
    acquire(&first);
    spin_unlock(&first);
    if (spin_trylock(&second))
        spin_unlock(&second);
    return 0;
}
