// The checksum of two bytes is what the polynomial says.
// bug: zlib/crc32.h: 0x990951ba => 0x990951bb
#include "zlib/crc32.c"
#include "input.h"

int main(void) {
    unsigned char data[2];
    input_bytes(data, 2);
    unsigned int crc = 0xffffffff;
    for (int i = 0; i < 2; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    assert(crc32(0, data, 2) == (crc ^ 0xffffffff));
}
