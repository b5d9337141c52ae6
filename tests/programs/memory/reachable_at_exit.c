// check track: --check leaks
// check cleanup: --check cleanup
// engines: bounded
#include <stdlib.h>
int *global;
int main(void) {
    int *local = malloc(4);
    global = malloc(8);
    if (!local || !global)
        abort(); //~[cleanup] never TRUE
    *global = *local;
    exit(0); //~[track] never FALSE //~[cleanup] FALSE valid-memcleanup
}
