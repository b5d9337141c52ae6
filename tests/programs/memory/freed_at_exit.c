// check: --check cleanup
// engines: bounded
#include <stdlib.h>
int *global;
static void release(void) { free(global); }
int main(void) {
    global = malloc(8);
    atexit(release); //~ UNKNOWN what is called later because of `atexit` //~ never FALSE
    return 0;
}
