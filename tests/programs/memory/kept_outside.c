// check: --check leaks
// engines: bounded
#include <stdlib.h>
extern void keep(int *block);
int main(void) {
    keep(malloc(4)); //~ UNKNOWN memory that `keep` may keep //~ never FALSE //~ never TRUE
    return 0;
}
