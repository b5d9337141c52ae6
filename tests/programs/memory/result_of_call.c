// check: --check pointers
// engines: bounded
#include <stdlib.h>
struct cell { int value; };
static int take(struct cell *cell) {
    free(cell);
    return 1;
}
int main(void) {
    struct cell *cell = malloc(sizeof *cell);
    if (cell)
        cell->value = take(cell); //~ FALSE valid-deref
    return 0;
}
