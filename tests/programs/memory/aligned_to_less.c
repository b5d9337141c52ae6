// check: --check alignment
// engines: bounded
#include <stdlib.h>
typedef int __attribute__((aligned(1))) anywhere;
int main(void) {
    char *block = malloc(8);
    if (!block)
        return 0;
    *(anywhere *)(block + 1) = 3; //~ UNKNOWN a type that is aligned to less than it usually is
    //~^ never FALSE
    return 0;
}
