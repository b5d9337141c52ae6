// A chunk that was trimmed begins and ends with no space.
// include: cmark/src
// bug: cmark/src/chunk.h: while (c->len > 0) { => while (c->len > 1) {\n if (c->len == 4) break;
#include "cmark/src/chunk.h"
#include "cmark/src/cmark_ctype.c"
#include "input.h"

int main(void) {
    unsigned char text[6];
    input_bytes(text, 6);
    cmark_chunk chunk = {text, (bufsize_t)input_below(7)};
    cmark_chunk_trim(&chunk);
    assert(chunk.len >= 0 && chunk.data >= text);
    if (chunk.len > 0)
        assert(!cmark_isspace(chunk.data[0]) && !cmark_isspace(chunk.data[chunk.len - 1]));
}
