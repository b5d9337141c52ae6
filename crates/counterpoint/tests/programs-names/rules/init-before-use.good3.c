#include <semaphore.h>
static sem_t ready;
int main(void) {
    if (sem_init(&ready, 0, 1) != 0)
        return 1;
    sem_wait(&ready);
    sem_destroy(&ready);
    return 0;
}
