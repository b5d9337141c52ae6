// check:
#include <time.h>
extern void reach_error(void);
int main(void) {
    struct timespec t = {0, 0};
    clock_gettime(0, &t);
    if (t.tv_sec != 0) reach_error(); //~ never TRUE
    return 0;
}
