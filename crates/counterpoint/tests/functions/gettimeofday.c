// reached, UNKNOWN
#include <sys/time.h>
extern void reach_error(void);

int main(void) {
    struct timeval t={1,2};
    gettimeofday(&t,0);
    if (t.tv_sec!=1) reach_error();
    return 0;
}
