// A heading starts with one to six number signs and a space or the end of the line.
// include: cmark/src
// bug: cmark/src/scanners.c: yy471: { return (bufsize_t)(p - start); } => yy471: { return (bufsize_t)(p - start + 1); }
#include "cmark/src/scanners.c"
#include "cmark/src/cmark_ctype.c"
#include "input.h"

int main(void) {
    unsigned char line[6];
    input_bytes(line, 5);
    line[5] = 0;
    bufsize_t n = _scan_atx_heading_start(line);
    assert(n >= 0 && n <= 5);
    if (n > 0) {
        assert(line[0] == '#');
        assert(line[n - 1] == ' ' || line[n - 1] == '\t' || line[n - 1] == '\n' || line[n - 1] == '\r');
    }
}
