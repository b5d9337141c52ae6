// What is written is read back, over the end of the buffer too.
// define: LWRB_DISABLE_ATOMIC
// include: lwrb/src/include
// bug: lwrb/src/lwrb/lwrb.c: w_ptr = btw; => w_ptr = btw - 1;
#include "lwrb/src/lwrb/lwrb.c"
#include "input.h"

int main(void) {
    unsigned char storage[6], in[4], out[4];
    lwrb_t ring;
    assert(lwrb_init(&ring, storage, sizeof storage));
    ring.w_ptr = ring.r_ptr = input_below(6);
    input_bytes(in, 4);
    assert(lwrb_write(&ring, in, 4) == 4);
    assert(lwrb_read(&ring, out, 4) == 4);
    for (int i = 0; i < 4; i++)
        assert(out[i] == in[i]);
    assert(lwrb_get_full(&ring) == 0);
}
