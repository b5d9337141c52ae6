// check order: -DIS=all[1].value!=1
// check calls: -DIS=calls!=3 -DCOUNT
// check keys: -DIS=all[0].key!=0||all[1].key!=1||all[2].key!=1
// engines: auto sampling
// Which of two equal elements comes first is left open, and so is how often they are compared.
#include <stdlib.h>
extern void reach_error(void);
struct pair { int key, value; };
static int calls;
static int compare(const void *a, const void *b) {
#ifdef COUNT
    calls++;
#endif
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}
int main(void) {
    struct pair all[3] = {{1, 1}, {1, 2}, {0, 3}};
    qsort(all, 3, sizeof *all, compare);
    if (IS)
        reach_error(); //~[order,calls] never TRUE //~[keys] never FALSE
    return 0;
}
