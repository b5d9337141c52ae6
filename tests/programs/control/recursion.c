// check same: -DHOLDS=result==n
// check wrong: -DHOLDS=result!=3
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned same(unsigned n) { if (n == 0) return 0; return same(n - 1) + 1; }
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned result = same(n);
    if (n < 4) assert(HOLDS); //~[same] TRUE //~[wrong] FALSE
    return 0;
}
