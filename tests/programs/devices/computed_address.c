// check: --mmio 0x50000000-0x5fffffff
// The address is computed as a number, and nobody says `volatile`.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static unsigned *reg(unsigned long base, unsigned offset) { return (unsigned *)(base + offset); }

int main(void) {
    int plain = __VERIFIER_nondet_int(), *own = &plain;
    *reg(0x50000000, 8) = 4;
    *own = 3;
    assert(plain == 3);
    assert(*reg(0x50000000, 8) == 4); //~ FALSE
    return 0;
}
