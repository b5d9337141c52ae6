// check: --64 --rule pthread-mutex
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern int ready(void);
int main(void) {
    pthread_mutex_lock(&lock);
    if (!ready())
        return 1; //~ FALSE pthread-mutex
    pthread_mutex_unlock(&lock);
    return 0;
}
