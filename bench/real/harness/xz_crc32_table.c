// The table that is computed holds remainders of the polynomial.
// define: HAVE_CONFIG_H HAVE_SMALL
// include: xz xz/common xz/liblzma/api xz/liblzma/common xz/liblzma/check
// bug: xz/liblzma/check/crc32_small.c: i < 8; => i < 7;
#include "xz/liblzma/check/crc32_small.c"
#include "input.h"

int main(void) {
    crc32_init();
    uint32_t byte = input_below(256), r = byte;
    for (int i = 0; i < 8; i++)
        r = r & 1 ? r >> 1 ^ 0xedb88320 : r >> 1;
    assert(lzma_crc32_table[0][byte] == r);
}
