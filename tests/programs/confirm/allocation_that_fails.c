// check: --confirm
// The first block is there, the second is not; what the C library allocates for itself is not counted.
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(4);
    printf("%p\n", (void *)p);
    int *q = malloc(4);
    if (p && !q) {
        *p = 1;
        reach_error(); //~ FALSE //~ note: confirmed by running the compiled program
    }
    return 0;
}
