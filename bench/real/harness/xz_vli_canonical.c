// What is decoded was encoded in the shortest way.
// define: HAVE_CONFIG_H
// include: xz xz/common xz/liblzma/api xz/liblzma/common xz/liblzma/check
// bug: xz/liblzma/common/vli_decoder.c: byte == 0x00 && *vli_pos > 1 => byte == 0x00 && *vli_pos > 2
#include "xz/liblzma/common/vli_decoder.c"
#include "xz/liblzma/common/vli_size.c"
#include "input.h"

int main(void) {
    uint8_t bytes[9];
    size_t read = 0;
    lzma_vli value;
    input_bytes(bytes, 9);
    if (lzma_vli_decode(&value, NULL, bytes, &read, sizeof bytes) == LZMA_OK)
        assert(lzma_vli_size(value) == read);
}
