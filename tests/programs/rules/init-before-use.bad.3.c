// check: --64 --rule init-before-use
#include <semaphore.h>
static sem_t ready;
int main(void) {
    if (sem_init(&ready, 0, 1) != 0)
        goto out;
    sem_wait(&ready);
out:
    sem_destroy(&ready); //~ FALSE init-before-use
    return 0;
}
