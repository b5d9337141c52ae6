// The checksum of three bytes is what the polynomial says.
// define: LFS_NO_DEBUG LFS_NO_WARN LFS_NO_ERROR
// bug: littlefs/lfs_util.c: 0xcb61b38c => 0xcb61b38d
#include "littlefs/lfs_util.c"
#include "input.h"

int main(void) {
    uint8_t data[3];
    uint32_t start = __VERIFIER_nondet_uint(), crc = start;
    input_bytes(data, 3);
    for (int i = 0; i < 3; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    assert(lfs_crc(start, data, 3) == crc);
}
