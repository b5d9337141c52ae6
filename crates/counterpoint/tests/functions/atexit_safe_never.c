// never reached, TRUE
#include <stdlib.h>
extern void reach_error(void);

static int x;
void h(void) {
    x=2;
}
int main(void) {
    atexit(h);
    x=1;
    if (x!=1) reach_error();
    return 0;
}
