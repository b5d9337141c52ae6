// check: --64 --rule mutex
struct mutex { int owner; };
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
static struct mutex lock;
extern int more(void);
static int count;
static void add(void) {
    mutex_lock(&lock);
    count++;
    mutex_unlock(&lock);
}
int main(void) { //~ TRUE
    while (more())
        add();
    return 0;
}
