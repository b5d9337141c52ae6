// check: --64 --rule double-free
#include <stdlib.h>
int main(void) { //~ TRUE
    void *block;
    if (posix_memalign(&block, 16, 64) != 0)
        return 1;
    __builtin_free(block);
    return 0;
}
