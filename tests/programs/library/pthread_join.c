// check:
#include <pthread.h>
extern void reach_error(void);
static void *work(void *p) { return p; }
int main(void) { pthread_t t; int x; void *r = 0; pthread_create(&t, 0, work, &x); pthread_join(t, &r); if (r != 0) reach_error(); //~ never TRUE
    return 0; }
