// check: --64 --rule double-free
#include <stdlib.h>
extern int next(void);
struct item { int value; };
static struct item *drop(struct item *item) {
    if (item->value < 0) {
        free(item);
        return 0;
    }
    return item;
}
int main(void) { //~ TRUE
    struct item *item = malloc(sizeof *item);
    if (!item)
        return 1;
    item->value = next();
    item = drop(item);
    if (item)
        free(item);
    return 0;
}
