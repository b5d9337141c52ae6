// Every number that can be encoded is decoded again, from as many bytes as its size says.
// define: HAVE_CONFIG_H
// include: xz xz/common xz/liblzma/api xz/liblzma/common xz/liblzma/check
// bug: xz/liblzma/common/vli_encoder.c: (uint8_t)(vli) | 0x80; => (uint8_t)(vli) | 0x40;
#include "xz/liblzma/common/vli_encoder.c"
#include "xz/liblzma/common/vli_decoder.c"
#include "xz/liblzma/common/vli_size.c"
#include "input.h"

int main(void) {
    uint8_t bytes[LZMA_VLI_BYTES_MAX];
    size_t written = 0, read = 0;
    lzma_vli value = __VERIFIER_nondet_ulong(), back;
    __VERIFIER_assume(value <= LZMA_VLI_MAX);
    assert(lzma_vli_encode(value, NULL, bytes, &written, sizeof bytes) == LZMA_OK);
    assert(written == lzma_vli_size(value));
    assert(lzma_vli_decode(&back, NULL, bytes, &read, written) == LZMA_OK);
    assert(read == written && back == value);
}
