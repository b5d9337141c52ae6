// check: --malloc-never-fails
// engines: bounded
// Where nothing that runs frees anything, two blocks are two.
#include <stdlib.h>
extern void reach_error(void);
void never(void *block) { free(block); }

int main(void) { //~ TRUE
    char *first = malloc(4);
    char *second = malloc(4);
    *first = 1;
    *second = 2;
    if (first == second || *first != 1)
        reach_error();
    return 0;
}
