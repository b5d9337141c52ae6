// check: --64 --rule pthread-mutex
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern int ready(void);
int main(void) { //~ TRUE
    int result = 0;
    pthread_mutex_lock(&lock);
    if (!ready())
        result = 1;
    pthread_mutex_unlock(&lock);
    return result;
}
