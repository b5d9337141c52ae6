// The filter for branches can be undone, on six bytes.
// define: HAVE_CONFIG_H
// include: xz xz/common xz/liblzma/api xz/liblzma/common xz/liblzma/check xz/liblzma/simple
// bug: xz/liblzma/simple/x86.c: buffer_pos) + 5);\n\n => buffer_pos) + 4);\n\n
#include "xz/liblzma/simple/x86.c"
#include "input.h"

int main(void) {
    lzma_simple_x86 encoder = {0, (uint32_t)-5}, decoder = {0, (uint32_t)-5};
    uint8_t data[6], coded[6];
    uint32_t at = __VERIFIER_nondet_uint();
    input_bytes(data, 6);
    for (int i = 0; i < 6; i++)
        coded[i] = data[i];
    size_t done = x86_code(&encoder, at, true, coded, 6);
    assert(x86_code(&decoder, at, false, coded, 6) == done);
    for (int i = 0; i < 6; i++)
        assert(coded[i] == data[i]);
}
