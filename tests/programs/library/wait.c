// check:
#include <sys/wait.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    int status = -1;
    if (fork() == 0) _exit(0);
    wait(&status);
    if (status == 0) reach_error(); //~ never TRUE
    return 0;
}
