// check: --64 --rule spin-lock
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
static spinlock_t lock;
extern int ready(void);
int main(void) { //~ TRUE
    int result = 0;
    spin_lock(&lock);
    if (!ready())
        result = 1;
    spin_unlock(&lock);
    return result;
}
