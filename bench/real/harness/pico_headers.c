// Headers that are found lie in the text, and have names.
// bug: picohttpparser/picohttpparser.c: headers[*num_headers].name_len == 0 => headers[*num_headers].name_len == 1
#include "picohttpparser/picohttpparser.c"
#include "input.h"

int main(void) {
    char text[7];
    struct phr_header headers[2];
    size_t count = 2;
    input_bytes(text, 7);
    int n = phr_parse_headers(text, 7, headers, &count, 0);
    assert(n == -1 || n == -2 || (n > 0 && n <= 7));
    if (n > 0) {
        assert(count <= 2);
        for (size_t i = 0; i < count; i++)
            assert(headers[i].name == NULL || headers[i].name_len > 0);
    }
}
