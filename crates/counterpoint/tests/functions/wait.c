// reached, UNKNOWN
#include <sys/wait.h>
#include <unistd.h>
extern void reach_error(void);

int main(void) {
    int s=5;
    if (fork()==0) _exit(0);
    wait(&s);
    if (s==0) reach_error();
    return 0;
}
