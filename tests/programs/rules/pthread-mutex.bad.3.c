// check: --64 --rule pthread-mutex
#include <pthread.h>
extern int busy(void);
int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, 0);
    if (pthread_mutex_trylock(&lock) == 0 && busy())
        goto out;
    pthread_mutex_unlock(&lock); //~ FALSE pthread-mutex
out:
    pthread_mutex_destroy(&lock);
    return 0;
}
