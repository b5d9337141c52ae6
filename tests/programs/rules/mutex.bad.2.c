// check: --64 --rule mutex
struct mutex { int owner; };
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
static struct mutex lock;
extern int more(void);
static int count;
static void add(void) {
    mutex_lock(&lock); //~ FALSE mutex
    count++;
    mutex_unlock(&lock);
}
int main(void) {
    mutex_lock(&lock);
    while (more())
        add();
    mutex_unlock(&lock);
    return 0;
}
