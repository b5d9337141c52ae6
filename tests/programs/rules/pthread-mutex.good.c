// check: --rule pthread-mutex
#include <pthread.h>
int pthread_mutex_lock(pthread_mutex_t *m) { return 0; }
int pthread_mutex_trylock(pthread_mutex_t *m) { return 16; }
int pthread_mutex_unlock(pthread_mutex_t *m) { return 0; }
int pthread_mutex_destroy(pthread_mutex_t *m) { return 0; }
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return 0; }

int main(void) { //~ TRUE
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    return 0;
}
