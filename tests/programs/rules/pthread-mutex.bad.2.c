// check: --64 --rule pthread-mutex
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
extern int more(void);
static void add(void) {
    pthread_mutex_lock(&lock); //~ FALSE pthread-mutex
    count++;
    pthread_mutex_unlock(&lock);
}
int main(void) {
    pthread_mutex_lock(&lock);
    while (more())
        add();
    pthread_mutex_unlock(&lock);
    return 0;
}
