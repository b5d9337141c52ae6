// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

static int x;
void f(void) {
    x=1;
}
void g(void) {
    if (x==1) reach_error();
}
int main(void) {
    atexit(g);
    atexit(f);
    exit(0);
}
