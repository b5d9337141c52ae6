// check: --rule init-before-use --confirm
#include <semaphore.h>
int __VERIFIER_nondet_int(void);
int sem_init(sem_t *s, int shared, unsigned value) { return value > 100 ? -1 : 0; }
int sem_wait(sem_t *s) { return 0; }
int sem_post(sem_t *s) { return 0; }
int sem_destroy(sem_t *s) { return 0; }

int main(void) {
    sem_t s, t;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        sem_init(&s, 0, 1);
        sem_wait(&t); //~ FALSE init-before-use: the object is used although it is not initialised
        break;
    case 1:
        sem_init(&s, 0, 1000);
        sem_wait(&s); //~ FALSE init-before-use: the object is used although it is not initialised
        break;
    case 2:
        sem_init(&s, 0, 1);
        sem_destroy(&s);
        sem_post(&s); //~ FALSE init-before-use: the object is used although it is not initialised
        break;
    case 3:
        sem_destroy(&s); //~ FALSE init-before-use: the object is destroyed although it is not initialised
        break;
    }
    return 0;
}
//~ note: confirmed by running the compiled program
