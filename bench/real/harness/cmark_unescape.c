// Removing backslashes makes a text no longer, and keeps one that has none.
// include: cmark/src
// bug: cmark/src/buffer.c: buf->ptr[r] == '\\' => buf->ptr[r] == '/'
#include "cmark/src/buffer.c"
#include "cmark/src/cmark_ctype.c"
#include "input.h"

int main(void) {
    unsigned char text[6];
    int n = (int)input_below(6), backslashes = 0;
    input_bytes(text, 6);
    for (int i = 0; i < n; i++)
        backslashes += text[i] == '\\';
    cmark_strbuf buffer = {NULL, text, 6, n};
    cmark_strbuf_unescape(&buffer);
    assert(buffer.size <= n && buffer.size >= n - backslashes);
}
