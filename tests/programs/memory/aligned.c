// check: --check alignment
// engines: bounded
#include <stdlib.h>
struct node { struct node *next; long value; char text[3]; };
static void *make(size_t size) { return calloc(1, size); }
static long sum(struct node *list) {
    long all = 0;
    for (; list; list = list->next)
        all += list->value;
    return all;
}
int main(void) { //~ TRUE
    struct node *first = make(sizeof *first), *second = make(sizeof *second);
    if (!first || !second)
        return 0;
    first->next = second;
    second->value = 3;
    long *inside = &second->value;
    *inside += 1;
    return sum(first) != 4;
}
