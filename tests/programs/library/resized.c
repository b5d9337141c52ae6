// check other: -DCONDITION=*p!=1
// check held: -DCONDITION=a[0]==1
// check new: -DCONDITION=a[0]==1&&a[1]==5
// check copied: -DCONDITION=a[0]!=1
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *a = malloc(sizeof *a), other = 1, *p = &other;
    a[0] = 1;
    a = realloc(a, 2 * sizeof *a);
    if (CONDITION) reach_error(); //~[other] TRUE //~[held, new] FALSE //~[copied] never FALSE
    return 0;
}
