// check: --64 --rule no-sleep-while-locked
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
extern void msleep(unsigned ms);
static spinlock_t lock;
extern int busy(void);
int main(void) { //~ TRUE
    spin_lock(&lock);
    int b = busy();
    spin_unlock(&lock);
    if (b)
        msleep(1);
    return 0;
}
