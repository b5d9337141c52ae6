// check: --check leaks
// engines: bounded
#include <stdlib.h>
extern int nondet(void);
int main(void) {
    int *p = malloc(4);
    if (nondet())
        p = malloc(8);
    free(p);
    return 0; //~ FALSE valid-memtrack: no pointer leads to allocated memory any more that is not freed
}
