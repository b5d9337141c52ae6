// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

static int x;
void h(int s, void*a) {
    if (x==1) reach_error();
}
int main(void) {
    on_exit(h,0);
    x=1;
    exit(0);
}
