// A chunk that is not complete yet leaves as much to come as its size says.
// bug: picohttpparser/picohttpparser.c: return ch - 'a' + 0xa; => return ch - 'a' + 0xb;
#include "picohttpparser/picohttpparser.c"
#include "input.h"

int main(void) {
    char text[6] = "?\r\n...";
    struct phr_chunked_decoder decoder = {0};
    size_t size = 6;
    int digit = (int)input_below(256);
    text[0] = (char)digit;
    input_bytes(text + 3, 3);
    ssize_t left = phr_decode_chunked(&decoder, text, &size);
    assert(size <= 6);
    assert(left == -1 || left == -2 || left + (ssize_t)size <= 6);
    if (digit >= 'a' && digit <= 'f')
        assert(left == -2 && size == 3 && decoder.bytes_left_in_chunk == (size_t)(digit - 'a' + 10 - 3));
}
