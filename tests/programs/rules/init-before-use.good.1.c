// check: --64 --rule init-before-use
#include <semaphore.h>
extern int configured(void);
int main(void) { //~ TRUE
    sem_t ready;
    if (!configured())
        return 1;
    if (sem_init(&ready, 0, 1) != 0)
        return 2;
    sem_wait(&ready);
    return 0;
}
