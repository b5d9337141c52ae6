// Shifting there and back keeps the bits that did not leave.
// bug: lua/lvm.c: if (y >= NBITS) return 0; => if (y > NBITS) return 0;
#include "lua/lvm.c"
#include "input.h"

int main(void) {
    lua_Integer x = (lua_Integer)__VERIFIER_nondet_ulong(), n = (lua_Integer)input_below(70);
    lua_Integer there = luaV_shiftl(x, n), back = luaV_shiftl(there, -n);
    if (n >= 64)
        assert(there == 0 && back == 0);
    else
        assert((lua_Unsigned)back == ((lua_Unsigned)x & ~(lua_Unsigned)0 >> n));
}
