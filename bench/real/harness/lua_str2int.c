// A numeral of two digits is read as its value.
// bug: lua/lobject.c: a = a * 10 + d; => a = a * 10 + d + (a > 8);
#include "lua/lobject.c"
#include "lua/lctype.c"
#include "input.h"

int main(void) {
    char text[4] = {0};
    lua_Integer value;
    unsigned int tens = input_below(10), ones = input_below(10), minus = input_below(2);
    text[0] = minus ? '-' : ' ';
    text[1] = (char)('0' + tens);
    text[2] = (char)('0' + ones);
    assert(l_str2int(text, &value) == text + 3);
    lua_Integer expected = (lua_Integer)(10 * tens + ones);
    assert(value == (minus ? -expected : expected));
}
