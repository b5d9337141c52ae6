// Reading and writing stay inside the buffer for ever.
// define: LWRB_DISABLE_ATOMIC
// include: lwrb/src/include
// bug: lwrb/src/lwrb/lwrb.c: if (w_ptr >= buff->size) { => if (w_ptr > buff->size) {
#include "lwrb/src/lwrb/lwrb.c"
#include "input.h"

int main(void) {
    static unsigned char storage[16], data[16];
    lwrb_t ring;
    lwrb_init(&ring, storage, sizeof storage);
    for (;;) {
        if (__VERIFIER_nondet_int())
            lwrb_write(&ring, data, input_below(17));
        else
            lwrb_read(&ring, data, input_below(17));
        assert(ring.w_ptr < 16 && ring.r_ptr < 16);
    }
}
