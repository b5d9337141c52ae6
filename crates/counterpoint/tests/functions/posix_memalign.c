// reached, FALSE
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    void*q=0;
    posix_memalign(&q,16,8);
    if (q) reach_error();
    return 0;
}
