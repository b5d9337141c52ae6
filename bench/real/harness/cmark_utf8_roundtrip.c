// A code point that is written is read again.
// include: cmark/src
// bug: cmark/src/utf8.c: dst[0] = (uint8_t)(0xE0 + (uc >> 12)); => dst[0] = (uint8_t)(0xE0 + (uc >> 13));
#include "cmark/src/utf8.c"
#include "cmark/src/buffer.c"
#include "cmark/src/cmark_ctype.c"
#include "input.h"

static unsigned char memory[32];
static void *give(void *old, size_t size) {
    assert(old == NULL && size <= sizeof memory);
    return memory;
}

int main(void) {
    cmark_mem mem = {NULL, give, NULL};
    cmark_strbuf text = CMARK_BUF_INIT(&mem);
    int32_t c = (int32_t)input_below(0x110000), back;
    __VERIFIER_assume(c < 0xd800 || c > 0xdfff);
    cmark_utf8proc_encode_char(c, &text);
    assert(text.size >= 1 && text.size <= 4);
    assert(cmark_utf8proc_iterate(text.ptr, text.size, &back) == text.size);
    assert(back == c);
}
