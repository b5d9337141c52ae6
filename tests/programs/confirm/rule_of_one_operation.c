// check: --rule spin-lock --confirm
// One name of an operation is written by means of another: one event, which a compiled program cannot tell from two.
typedef struct { int held; } spinlock_t;
extern void _spin_lock(spinlock_t *lock), spin_unlock(spinlock_t *lock);
static void spin_lock(spinlock_t *lock) { _spin_lock(lock); }
spinlock_t lock;
int main(void) {
    spin_lock(&lock);
    spin_unlock(&lock);
    spin_unlock(&lock); //~ FALSE spin-lock
    return 0;
}
//~ note: not confirmed: a compiled program does not notice that it violates the rule: `spin_lock` calls `_spin_lock`
