// Decompressing any five bytes writes no more than it may.
// bug: lz4/lz4.c: if ((ip+length != iend) || (cpy > oend)) { => if ((ip+length != iend) || (cpy > oend + 1)) {
// define: LZ4_FORCE_MEMORY_ACCESS=0 LZ4_FAST_DEC_LOOP=0
#include "lz4/lz4.c"
#include "input.h"

int main(void) {
    char in[5], out[8];
    input_bytes(in, 5);
    for (int i = 0; i < 8; i++)
        out[i] = 'x';
    int n = LZ4_decompress_safe(in, out, 5, 3);
    assert(n <= 3);
    for (int i = 3; i < 8; i++)
        assert(out[i] == 'x');
}
