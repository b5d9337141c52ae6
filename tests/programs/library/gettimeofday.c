// check:
#include <sys/time.h>
extern void reach_error(void);
int main(void) {
    struct timeval t = {0, 0};
    gettimeofday(&t, 0);
    if (t.tv_sec != 0) reach_error(); //~ never TRUE
    return 0;
}
