// check: --malloc-never-fails
// What is undefined on the way to an error is the answer, without being asked for.
#include <stdlib.h>
extern void reach_error(void);
extern int nondet(void);
int main(void) {
    int a[4] = {0}, n = nondet();
    if (n < 0 || n > 4)
        return 0;
    a[n] = 1; //~ FALSE no-index-out-of-bounds: index `n` is outside of `a`, which has 4 elements
    if (n == 4)
        reach_error();
    return 0;
}
