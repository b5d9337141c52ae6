// check: --64 --rule memory-leak
#include <stdlib.h>
extern int wanted(void);
int main(void) {
    void *block;
    if (posix_memalign(&block, 16, 64) != 0)
        return 1;
    if (wanted())
        return 0; //~ FALSE memory-leak
    __builtin_free(block);
    return 0;
}
