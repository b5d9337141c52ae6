// check: --64 --rule init-before-use
#include <semaphore.h>
static sem_t ready;
extern int more(void);
static void work(void) {
    sem_wait(&ready);
    sem_post(&ready);
}
int main(void) { //~ TRUE
    if (sem_init(&ready, 0, 1) != 0)
        return 2;
    while (more())
        work();
    sem_destroy(&ready);
    return 0;
}
