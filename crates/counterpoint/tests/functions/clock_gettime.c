// reached, UNKNOWN
#include <time.h>
extern void reach_error(void);

int main(void) {
    struct timespec t={1,2};
    clock_gettime(CLOCK_REALTIME,&t);
    if (t.tv_sec!=1) reach_error();
    return 0;
}
