// check: --64 --rule pthread-mutex
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
extern int more(void);
static void add(void) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}
int main(void) { //~ TRUE
    while (more())
        add();
    return 0;
}
