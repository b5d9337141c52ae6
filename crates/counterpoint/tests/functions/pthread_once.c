// reached, UNKNOWN
#include <pthread.h>
extern void reach_error(void);

static int n;
void t(void) {
    n=1;
}
int main(void) {
    pthread_once_t o=PTHREAD_ONCE_INIT;
    pthread_once(&o,t);
    if (n==1) reach_error();
    return 0;
}
