// Reversing the bits of a code twice gives the code.
// bug: zlib/trees.c: return res >> 1; => return res;
#include "zlib/trees.c"
#include "input.h"

int main(void) {
    int length = 1 + (int)input_below(15);
    unsigned int code = input_below(1u << length);
    unsigned int back = bi_reverse(code, length);
    assert(back < 1u << length);
    assert(bi_reverse(back, length) == code);
}
