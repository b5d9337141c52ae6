// check: --rule no-sleep-while-locked --confirm
int __VERIFIER_nondet_int(void);
typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
int spin_trylock(spinlock_t *lock) { return 1; }
void msleep(unsigned ms);
void schedule(void);

int main(void) {
    spinlock_t lock;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        spin_lock(&lock);
        msleep(1); //~ FALSE no-sleep-while-locked: a function that may block is called while a spin lock is held
        break;
    case 1:
        if (spin_trylock(&lock))
            schedule(); //~ FALSE no-sleep-while-locked: a function that may block is called while a spin lock is held
        break;
    }
    return 0;
}
//~ note: confirmed by running the compiled program
