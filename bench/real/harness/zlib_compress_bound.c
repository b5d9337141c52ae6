// The bound for compressed data leaves room for the data itself and for what frames it.
// bug: zlib/compress.c: (sourceLen >> 14) => (sourceLen << 14)
#include "zlib/compress.c"
#include "input.h"

int main(void) {
    uLong n = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(n < 1ul << 40);
    uLong bound = compressBound(n);
    assert(bound >= n + 13);
    assert(bound - n <= n / 1000 + 13);
}
