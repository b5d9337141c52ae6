// Four characters make at most three bytes, whatever the characters are.
// bug: base64/base64.c: if (inlen & 0x3) => if (inlen & 0x1)
#include "base64/base64.c"
#include "input.h"

int main(void) {
    char in[8];
    unsigned char out[8];
    unsigned int n = input_below(9);
    input_bytes(in, 8);
    assert(base64_decode(in, n, out) <= n / 4 * 3);
}
