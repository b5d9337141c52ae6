// A size that is kept in a byte is rounded up, by less than an eighth.
// include: lua53
// bug: lua53/lobject.c: x = (x + 0xf) >> 4; => x = x >> 4;
#include "lua53/lobject.c"
#include "input.h"

int main(void) {
    unsigned int x = input_below(1u << 20);
    unsigned int back = (unsigned int)luaO_fb2int(luaO_int2fb(x));
    assert(back >= x);
    assert(back - x <= x / 8);
}
