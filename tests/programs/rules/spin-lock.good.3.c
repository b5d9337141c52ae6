// check: --64 --rule spin-lock
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
static spinlock_t lock;
extern int step(int i);
int main(void) { //~ TRUE
    for (int i = 0; i < 4; i++) {
        spin_lock(&lock);
        if (step(i) < 0) {
            spin_unlock(&lock);
            break;
        }
        spin_unlock(&lock);
    }
    return 0;
}
