// What is encoded and decoded again is what it was, for up to five bytes.
// bug: base64/base64.c: ((c >> 6) & 0x3) => ((c >> 6) & 0x1)
#include "base64/base64.c"
#include "input.h"

int main(void) {
    unsigned char in[5], back[8];
    char text[9];
    unsigned int n = input_below(6);
    input_bytes(in, 5);
    unsigned int length = base64_encode(in, n, text);
    assert(length == (n + 2) / 3 * 4);
    assert(base64_decode(text, length, back) == n);
    for (unsigned int i = 0; i < n; i++)
        assert(back[i] == in[i]);
}
