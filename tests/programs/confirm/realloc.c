// check: --confirm
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(8);
    if (!p)
        return 1;
    char *q = realloc(p, 9);
    if (q && q != p)
        reach_error(); //~ FALSE //~ note: not confirmed: the compiled program need not do the same: whether `realloc` moves a block
    return 0;
}
