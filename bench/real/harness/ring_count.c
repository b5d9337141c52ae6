// The number of items is what was put in and not taken out, up to the capacity, over eight operations.
// bug: ring-buffer/ringbuffer.h: & RING_BUFFER_MASK(buffer)) == RING_BUFFER_MASK(buffer) => & RING_BUFFER_MASK(buffer)) > RING_BUFFER_MASK(buffer)
#include "ring-buffer/ringbuffer.c"
#include "input.h"

int main(void) {
    char storage[4], got;
    ring_buffer_t ring;
    ring_buffer_init(&ring, storage, 4);
    unsigned count = 0;
    for (int i = 0; i < 8; i++) {
        if (__VERIFIER_nondet_int()) {
            ring_buffer_queue(&ring, (char)i);
            if (count < 3)
                count++;
        } else if (ring_buffer_dequeue(&ring, &got))
            count--;
        assert(ring_buffer_num_items(&ring) == count);
    }
}
