// The remainder has the sign of the divisor.
// bug: lua/lvm.c: if (r != 0 && (r ^ n) < 0) => if (r > 0 && (r ^ n) < 0)
#include "lua/lvm.c"
#include "input.h"

int main(void) {
    lua_Integer m = (short)__VERIFIER_nondet_ushort(), n = (short)__VERIFIER_nondet_ushort();
    __VERIFIER_assume(n != 0);
    lua_Integer r = luaV_mod(NULL, m, n);
    if (n > 0)
        assert(r >= 0 && r < n);
    else
        assert(r <= 0 && r > n);
}
