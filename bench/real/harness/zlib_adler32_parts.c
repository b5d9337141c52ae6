// A checksum is the same whether the bytes come at once or one by one.
// bug: zlib/adler32.c: adler &= 0xffff; => adler &= 0xff;
#include "zlib/adler32.c"
#include "input.h"

int main(void) {
    unsigned char data[3];
    input_bytes(data, 3);
    uLong whole = adler32(1, data, 3);
    uLong parts = adler32(adler32(adler32(1, data, 1), data + 1, 1), data + 2, 1);
    assert(whole == parts);
}
