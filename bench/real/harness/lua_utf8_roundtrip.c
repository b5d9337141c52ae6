// A code point of up to 31 bits that is written is read again.
// bug: lua/lobject.c: mfb >>= 1; => mfb >>= 2;
#include "lua/lobject.c"
#include "lua/lutf8lib.c"
#include "input.h"

int main(void) {
    char text[UTF8BUFFSZ];
    unsigned long c = input_below(0x80000000u);
    utfint back;
    int n = luaO_utf8esc(text, c);
    assert(n >= 1 && n <= 6);
    assert(utf8_decode(text + UTF8BUFFSZ - n, &back, 0) == text + UTF8BUFFSZ);
    assert(back == c);
}
