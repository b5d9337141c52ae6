// check: --64 --rule mutex
struct mutex { int owner; };
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
static struct mutex lock;
extern int step(int i);
int main(void) {
    for (int i = 0; i < 4; i++) {
        mutex_lock(&lock);
        if (step(i) < 0)
            mutex_unlock(&lock);
        mutex_unlock(&lock); //~ FALSE mutex
    }
    return 0;
}
