// A request that is read ends in the text and has a method and a path.
// bug: picohttpparser/picohttpparser.c: if (*method_len == 0 || *path_len == 0) { => if (*method_len == 0) {
#include "picohttpparser/picohttpparser.c"
#include "input.h"

int main(void) {
    char text[18] = "GET / HTTP/1.0\r\n\r\n";
    const char *method, *path;
    size_t method_length, path_length, count = 1;
    struct phr_header headers[1];
    int version;
    input_bytes(text + 3, 4);
    int n = phr_parse_request(text, 18, &method, &method_length, &path, &path_length, &version, headers, &count, 0);
    assert(n == -1 || n == -2 || n == 18);
    if (n > 0) {
        assert(method_length > 0 && path_length > 0);
        assert(path + path_length < text + 18);
    }
}
