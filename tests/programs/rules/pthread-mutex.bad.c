// check: --rule pthread-mutex --confirm
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int pthread_mutex_lock(pthread_mutex_t *m) { return 0; }
int pthread_mutex_trylock(pthread_mutex_t *m) { return 16; }
int pthread_mutex_unlock(pthread_mutex_t *m) { return 0; }
int pthread_mutex_destroy(pthread_mutex_t *m) { return 0; }
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return 0; }

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_mutex_t m[2];
    int i = __VERIFIER_nondet_int();
    switch (i) {
    case 0:
        pthread_mutex_lock(&m[i]);
        pthread_mutex_lock(&m[i]); //~ FALSE pthread-mutex: the mutex is locked although this thread locked it already
        break;
    case 1:
        pthread_mutex_trylock(&m[i]);
        pthread_mutex_unlock(&m[i]); //~ FALSE pthread-mutex: the mutex is unlocked although it is not locked
        break;
    case 2:
        pthread_mutex_lock(&m[0]);
        pthread_cond_wait(&c, &m[1]); //~ FALSE pthread-mutex: a condition is waited for without holding its mutex
        pthread_mutex_unlock(&m[0]);
        break;
    case 3:
        pthread_mutex_lock(m + 1);
        pthread_mutex_destroy(m + 1); //~ FALSE pthread-mutex: the mutex is destroyed while it is locked
        break;
    case 4:
        pthread_mutex_lock(m);
        break;
    }
    return 0; //~ FALSE pthread-mutex: the mutex is still locked when the program ends
}
//~ note: confirmed by running the compiled program
