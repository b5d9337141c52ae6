// The version of a request is one digit.
// bug: picohttpparser/picohttpparser.c: if (*buf < '0' || '9' < *buf) { => if (*buf < '0') {
#include "picohttpparser/picohttpparser.c"
#include "input.h"

int main(void) {
    char text[12];
    int version = -1, result = 0;
    input_bytes(text, 12);
    const char *end = parse_http_version(text, text + input_below(13), &version, &result);
    if (end != NULL) {
        assert(end == text + 8);
        assert(version >= 0 && version <= 9);
    } else
        assert(result == -1 || result == -2);
}
