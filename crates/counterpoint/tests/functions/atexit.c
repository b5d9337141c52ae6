// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

static int x;
void h(void) {
    if (x==1) reach_error();
}
int main(void) {
    atexit(h);
    x=1;
    return 0;
}
