// check:
#include <pthread.h>
extern void reach_error(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init(void) { reach_error(); //~ never TRUE
}
int main(void) { pthread_once(&once, init); return 0; }
