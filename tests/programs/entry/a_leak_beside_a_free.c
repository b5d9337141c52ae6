// check: --entry f --check leaks
// engines: bounded slam
// One block too few is freed, whoever allocated those that are.
#include <stdlib.h>
int f(char *given, int n) { //~ never TRUE
    free(given);
    char *own = malloc(4);
    return own != 0;
}
