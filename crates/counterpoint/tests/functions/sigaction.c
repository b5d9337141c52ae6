// reached, UNKNOWN
#include <string.h>
#include <signal.h>
extern void reach_error(void);

static volatile int x;
void h(int s) {
    x=1;
}
int main(void) {
    struct sigaction a;
    memset(&a,0,sizeof a);
    a.sa_handler=h;
    sigaction(SIGUSR1,&a,0);
    raise(SIGUSR1);
    if (x) reach_error();
    return 0;
}
