// check: --malloc-never-fails
// Memory that is given back may be given out again, whoever gives it back.
#include <stdlib.h>
extern void reach_error(void);
static void put(void *block) { free(block); }
static void (*const table[])(void *) = {put};

int main(void) { //~ never TRUE
    char *first = malloc(4);
    unsigned long number = (unsigned long)first;
    table[0](first);
    char *second = malloc(4);
    if ((unsigned long)second == number)
        reach_error();
    free(second);
    return 0;
}
