// check: --64 --rule no-sleep-while-locked
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
extern void msleep(unsigned ms);
static spinlock_t lock;
extern int busy(void);
static void wait(void) {
    while (busy())
        msleep(10); //~ FALSE no-sleep-while-locked
}
int main(void) {
    spin_lock(&lock);
    wait();
    spin_unlock(&lock);
    return 0;
}
