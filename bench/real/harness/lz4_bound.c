// The bound for compressed data is one, and zero for what is too large.
// bug: lz4/lz4.h: ((isize)/255) => ((isize)/255 - 32)
#include "lz4/lz4.c"
#include "input.h"

int main(void) {
    int n = __VERIFIER_nondet_int();
    int bound = LZ4_compressBound(n);
    if (n < 0 || n > LZ4_MAX_INPUT_SIZE)
        assert(bound == 0);
    else
        assert(bound > n && bound <= 0x7e7e8080);
}
