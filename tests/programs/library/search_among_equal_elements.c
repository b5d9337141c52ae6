// check first: -DIS=found!=all+2
// check calls: -DIS=calls!=1 -DCOUNT
// engines: auto sampling
#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) {
#ifdef COUNT
    calls++;
#endif
    return *(const int *)a - *(const int *)b;
}
int main(void) {
    int all[4] = {1, 2, 2, 3}, key = 2;
    int *found = bsearch(&key, all, 4, sizeof *all, compare);
    if (IS)
        reach_error(); //~ never TRUE
    return 0;
}
