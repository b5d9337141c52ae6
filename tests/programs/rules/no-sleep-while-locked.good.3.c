// check: --64 --rule no-sleep-while-locked
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
extern void msleep(unsigned ms);
static spinlock_t lock;
extern int try(int i);
int main(void) { //~ TRUE
    for (int i = 0; i < 3; i++) {
        spin_lock(&lock);
        int failed = try(i);
        spin_unlock(&lock);
        if (failed)
            msleep(5);
    }
    return 0;
}
