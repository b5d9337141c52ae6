// check more: -DIS=>10
// check less: -DIS=<10
// engines: slam auto
// There may be more than was asked for.
#include <malloc.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *block = malloc(10);
    if (block && malloc_usable_size(block) IS)
        reach_error(); //~ UNKNOWN malloc_usable_size //~[more] never TRUE //~[less] never FALSE
    return 0;
}
