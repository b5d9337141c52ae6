// check: --64 --rule init-before-use
#include <semaphore.h>
extern int configured(void);
int main(void) {
    sem_t ready;
    if (configured())
        sem_init(&ready, 0, 1);
    sem_wait(&ready); //~ FALSE init-before-use
    return 0;
}
