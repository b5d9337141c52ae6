// check: --64 --rule mutex
struct mutex { int owner; };
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
static struct mutex lock;
extern int ready(void);
int main(void) {
    mutex_lock(&lock);
    if (!ready())
        return 1; //~ FALSE mutex
    mutex_unlock(&lock);
    return 0;
}
