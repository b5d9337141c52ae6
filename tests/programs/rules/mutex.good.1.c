// check: --64 --rule mutex
struct mutex { int owner; };
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
static struct mutex lock;
extern int ready(void);
int main(void) { //~ TRUE
    int result = 0;
    mutex_lock(&lock);
    if (!ready())
        result = 1;
    mutex_unlock(&lock);
    return result;
}
