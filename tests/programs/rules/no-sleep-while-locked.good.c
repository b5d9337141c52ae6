// check: --rule no-sleep-while-locked
typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
int spin_trylock(spinlock_t *lock) { return 0; }
void msleep(unsigned ms);

int main(void) { //~ TRUE
    spinlock_t lock;
    msleep(1);
    spin_lock(&lock);
    spin_unlock(&lock);
    msleep(1);
    if (spin_trylock(&lock) == 0)
        msleep(1);
    return 0;
}
