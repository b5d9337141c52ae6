// check: --64 --rule memory-leak
#include <stdlib.h>
extern int more(void);
static void *last;
static void remember(void *block) {
    last = block;
}
int main(void) {
    while (more()) {
        void *block = malloc(8);
        if (block)
            remember(block);
    }
    free(last);
    return 0; //~ FALSE memory-leak
}
