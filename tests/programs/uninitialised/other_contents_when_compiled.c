// check: --confirm
// A compiled program may find other contents.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(sizeof *p);
    if (*p == 123456789) reach_error(); //~ FALSE //~ note: not confirmed:
    return 0;
}
