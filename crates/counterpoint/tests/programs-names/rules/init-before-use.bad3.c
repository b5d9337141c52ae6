#include <semaphore.h>
static sem_t ready;
int main(void) {
    if (sem_init(&ready, 0, 1) != 0)
        goto out;
    sem_wait(&ready);
out:
    sem_destroy(&ready);
    return 0;
}
