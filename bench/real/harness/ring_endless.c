// The indices stay inside the buffer for ever.
// bug: ring-buffer/ringbuffer.c: buffer->head_index = ((buffer->head_index + 1) & RING_BUFFER_MASK(buffer)); => buffer->head_index = buffer->head_index + 1;
#include "ring-buffer/ringbuffer.c"
#include "input.h"

int main(void) {
    static char storage[16];
    char got;
    ring_buffer_t ring;
    ring_buffer_init(&ring, storage, 16);
    for (;;) {
        if (__VERIFIER_nondet_int())
            ring_buffer_queue(&ring, (char)__VERIFIER_nondet_uchar());
        else
            ring_buffer_dequeue(&ring, &got);
        assert(ring.head_index < 16 && ring.tail_index < 16);
    }
}
