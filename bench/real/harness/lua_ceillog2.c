// The logarithm is the smallest exponent that suffices.
// bug: lua/lobject.c: l += 8; => l += 7;
#include "lua/lobject.c"
#include "input.h"

int main(void) {
    unsigned int x = 1 + input_below(0x7fffffff);
    int n = luaO_ceillog2(x);
    assert(n >= 0 && n <= 31);
    assert(1ul << n >= x);
    assert(n == 0 || 1ul << (n - 1) < x);
}
