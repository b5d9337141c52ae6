// Differences of neighbours add up to what they were made from.
// define: HAVE_CONFIG_H
// include: xz xz/common xz/liblzma/api xz/liblzma/common xz/liblzma/check xz/liblzma/delta
// bug: xz/liblzma/delta/delta_decoder.c: coder->history[coder->pos-- & 0xFF] = buffer[i]; => coder->history[coder->pos & 0xFF] = buffer[i];
#include "xz/liblzma/delta/delta_encoder.c"
#include "xz/liblzma/delta/delta_decoder.c"
#include "input.h"

int main(void) {
    static lzma_delta_coder encoder, decoder;
    uint8_t data[5], encoded[5];
    encoder.distance = decoder.distance = 1 + input_below(3);
    input_bytes(data, 5);
    copy_and_encode(&encoder, data, encoded, 5);
    decode_buffer(&decoder, encoded, 5);
    for (int i = 0; i < 5; i++)
        assert(encoded[i] == data[i]);
}
