// check: --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(8);
    free(p);
    if (*p == 5) reach_error(); //~ UNKNOWN read of memory (8 bytes) that was freed //~ never FALSE
    return 0;
}
