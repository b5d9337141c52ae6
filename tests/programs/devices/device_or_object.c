// check: --mmio 0x50000000-0x50000fff
// What a pointer leads to decides whether a read is one of a device, which may give anything.
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;

int main(void) {
    uintptr_t address = __VERIFIER_nondet_int() > 1 ? (uintptr_t)&x : 0x50000000;
    volatile int *p = (volatile int *)address;
    if (*p == 7)
        reach_error(); //~ FALSE
    return 0;
}
