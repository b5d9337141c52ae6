// check: --64 --rule pthread-mutex
#include <pthread.h>
extern int busy(void);
int main(void) { //~ TRUE
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, 0);
    if (pthread_mutex_trylock(&lock) == 0) {
        busy();
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_destroy(&lock);
    return 0;
}
