// check: --64 --rule init-before-use
#include <semaphore.h>
static sem_t ready;
extern int more(void);
static void finish(void) {
    sem_destroy(&ready);
}
int main(void) {
    sem_init(&ready, 0, 1);
    while (more())
        finish();
    sem_post(&ready); //~ FALSE init-before-use
    return 0;
}
