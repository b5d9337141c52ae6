// check:
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void stay(int x) { (void)x; }
int main(void) { //~ TRUE
    void (*leave)(int) = __VERIFIER_nondet_int() ? exit : stay;
    leave(3);
    if (leave == exit)
        reach_error();
    return 0;
}
