// check sorted: -DIS=all[0]!=1||all[1]!=2||all[2]!=3
// check found: -DIS=bsearch(&key,all,3,sizeof(*all),compare)!=all+1
// engines: sampling
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { //~ TRUE
    int all[3] = {3, 1, 2}, key = 2;
    qsort(all, 3, sizeof *all, compare);
    if (IS)
        reach_error();
    return 0;
}
