// check: --rule spin-lock --confirm
typedef struct { int raw; } spinlock_t;
int __VERIFIER_nondet_int(void);
void exit(int);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
int spin_trylock(spinlock_t *lock) { return 1; }

static spinlock_t first, second;

int main(void) {
    void (*acquire)(spinlock_t *) = spin_lock;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        spin_lock(&first);
        spin_lock(&second);
        spin_unlock(&second);
        spin_lock(&first); //~ FALSE spin-lock: the spin lock is acquired although it is held already
        break;
    case 1:
        spin_lock(&first);
        acquire(&first); //~ FALSE spin-lock: the spin lock is acquired although it is held already
        break;
    case 2:
        spin_lock(&first);
        spin_unlock(&second); //~ FALSE spin-lock: the spin lock is released although it is not held
        spin_unlock(&first);
        break;
    case 3:
        spin_lock(&first);
        spin_unlock(&first);
        spin_lock(&second);
        exit(0); //~ FALSE spin-lock: the spin lock is still held when the program ends
    case 4:
        spin_lock(&first);
        spin_trylock(&first); //~ FALSE spin-lock: the spin lock is acquired although it is held already
        break;
    case 5:
        spin_trylock(&second);
        return 0; //~ FALSE spin-lock: the spin lock is still held when the program ends
    }
    spin_lock(&second);
    spin_unlock(&second);
    return 0;
}
//~ note: confirmed by running the compiled program
