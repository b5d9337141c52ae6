// check:
// Reached where standard input has a length.
#include <sys/ioctl.h>
extern void reach_error(void);
int main(void) {
    int n = -1;
    ioctl(0, FIONREAD, &n);
    if (n >= 0) reach_error(); //~ never TRUE
    return 0;
}
