// reached, UNKNOWN
#include <signal.h>
extern void reach_error(void);

static volatile int x;
void h(int s) {
    x=1;
}
int main(void) {
    signal(SIGUSR1,h);
    raise(SIGUSR1);
    if (x) reach_error();
    return 0;
}
