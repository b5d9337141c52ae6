// check: --rule init-before-use
#include <semaphore.h>
int sem_init(sem_t *s, int shared, unsigned value) { return 0; }
int sem_wait(sem_t *s) { return 0; }
int sem_post(sem_t *s) { return 0; }
int sem_destroy(sem_t *s) { return 0; }

int main(void) { //~ TRUE
    sem_t s, t;
    if (sem_init(&s, 0, 1) != 0)
        return 1;
    sem_wait(&s);
    sem_init(&t, 0, 0);
    sem_post(&t);
    sem_post(&s);
    sem_destroy(&s);
    sem_destroy(&t);
    return 0;
}
