// check:
// Reached where standard input is a socket.
#include <sys/socket.h>
extern void reach_error(void);
int main(void) {
    char a[4] = {0};
    recv(0, a, 4, 0);
    if (a[0] != 0) reach_error(); //~ never TRUE
    return 0;
}
