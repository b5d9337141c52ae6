// check:
// What is returned is what a parameter and a global were before they changed.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int total;
static int step(int by) { int before = by; by = by + 1; return before; }
static int add(void) { int before = total; total = total + 1; return before; }

int main(void) { //~ TRUE
    int m = __VERIFIER_nondet_int();
    assert(step(m) == m);
    total = m;
    assert(add() == m);
    return 0;
}
