// check: --64 --rule init-before-use
#include <semaphore.h>
static sem_t ready;
int main(void) { //~ TRUE
    if (sem_init(&ready, 0, 1) != 0)
        return 1;
    sem_wait(&ready);
    sem_destroy(&ready);
    return 0;
}
