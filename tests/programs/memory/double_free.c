// check: --check free
// engines: bounded
#include <stdlib.h>
extern int nondet(void);
static void release(int *p) {
    free(p); //~ FALSE valid-free: `free` of `p`, which no allocation gave or which was freed before
}
int main(void) {
    int *p = malloc(sizeof *p);
    release(0);
    release(p);
    if (nondet())
        release(p);
    return 0;
}
