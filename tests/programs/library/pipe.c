// check:
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    int fd[2] = {-1, -1};
    pipe(fd);
    if (fd[0] >= 0) reach_error(); //~ never TRUE
    return 0;
}
