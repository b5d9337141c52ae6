// A header that was written is read with the same flags.
// define: HAVE_CONFIG_H
// include: xz xz/common xz/liblzma/api xz/liblzma/common xz/liblzma/check
// bug: xz/liblzma/common/stream_flags_decoder.c: in[1] & 0x0F; => in[1] & 0x07;
#include "xz/liblzma/common/stream_flags_common.c"
#include "xz/liblzma/common/stream_flags_encoder.c"
#include "xz/liblzma/common/stream_flags_decoder.c"
#include "xz/liblzma/check/crc32_fast.c"
#include "xz/liblzma/check/crc32_table.c"
#include "input.h"

int main(void) {
    uint8_t bytes[LZMA_STREAM_HEADER_SIZE];
    lzma_stream_flags flags = {0}, back;
    flags.check = (lzma_check)input_below(LZMA_CHECK_ID_MAX + 1);
    assert(lzma_stream_header_encode(&flags, bytes) == LZMA_OK);
    assert(lzma_stream_header_decode(&back, bytes) == LZMA_OK);
    assert(back.version == 0 && back.check == flags.check);
}
