// check: --malloc-never-fails
// No run takes this way here, where no address is given out twice and blocks lie in the order in which they are allocated;
// one with another library may.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *block = malloc(4), *resized = realloc(block, 8);
    if (resized == block) reach_error(); //~ UNKNOWN no difference found //~ never TRUE //~ never FALSE
    return 0;
}
