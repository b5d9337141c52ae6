// check: --64 --rule spin-lock
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
static spinlock_t lock;
extern int more(void);
static int count;
static void add(void) {
    spin_lock(&lock);
    count++;
    spin_unlock(&lock);
}
int main(void) { //~ TRUE
    while (more())
        add();
    return 0;
}
