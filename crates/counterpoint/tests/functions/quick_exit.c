// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

static int x;
void h(void) {
    if (x==1) reach_error();
}
int main(void) {
    at_quick_exit(h);
    x=1;
    quick_exit(0);
}
