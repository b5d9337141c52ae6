// check: --64 --rule double-free
#include <stdlib.h>
extern int next(void);
struct item { int value; };
static void drop(struct item *item) {
    if (item->value < 0)
        free(item);
}
int main(void) {
    struct item *item = malloc(sizeof *item);
    if (!item)
        return 1;
    item->value = next();
    drop(item);
    free(item); //~ FALSE double-free
    return 0;
}
