#include <semaphore.h>
extern int configured(void);
int main(void) {
    sem_t ready;
    if (configured())
        sem_init(&ready, 0, 1);
    sem_wait(&ready);
    return 0;
}
