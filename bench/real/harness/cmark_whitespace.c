// Spaces that follow each other become one.
// include: cmark/src
// bug: cmark/src/buffer.c: if (!last_char_was_space) { => if (!last_char_was_space || r == 3) {
#include "cmark/src/buffer.c"
#include "cmark/src/cmark_ctype.c"
#include "input.h"

int main(void) {
    unsigned char text[6];
    int n = (int)input_below(6);
    input_bytes(text, 6);
    cmark_strbuf buffer = {NULL, text, 6, n};
    cmark_strbuf_normalize_whitespace(&buffer);
    assert(buffer.size <= n);
    for (int i = 1; i < buffer.size; i++)
        assert(!cmark_isspace(text[i]) || !cmark_isspace(text[i - 1]));
}
