// Whatever the bytes are, what is read is no surrogate and not too large.
// include: cmark/src
// bug: cmark/src/utf8.c: uc >= 0x110000 => uc > 0x110000
#include "cmark/src/utf8.c"
#include "cmark/src/buffer.c"
#include "cmark/src/cmark_ctype.c"
#include "input.h"

int main(void) {
    uint8_t bytes[4];
    int32_t c;
    int size = 1 + (int)input_below(4);
    input_bytes(bytes, 4);
    int length = cmark_utf8proc_iterate(bytes, size, &c);
    if (length > 0) {
        assert(length <= size);
        assert(c >= 0 && c < 0x110000 && (c < 0xd800 || c > 0xdfff));
    }
}
