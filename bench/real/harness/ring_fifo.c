// First in, first out, without a loop.
// bug: ring-buffer/ringbuffer.c: *data = buffer->buffer[buffer->tail_index]; => *data = buffer->buffer[buffer->head_index - 1];
#include "ring-buffer/ringbuffer.c"
#include "input.h"

int main(void) {
    char storage[4], a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar(), got;
    ring_buffer_t ring;
    ring_buffer_init(&ring, storage, 4);
    ring_buffer_queue(&ring, a);
    ring_buffer_queue(&ring, b);
    assert(ring_buffer_dequeue(&ring, &got) && got == a);
    ring_buffer_queue(&ring, c);
    assert(ring_buffer_num_items(&ring) == 2);
    assert(ring_buffer_dequeue(&ring, &got) && got == b);
    assert(ring_buffer_dequeue(&ring, &got) && got == c);
    assert(!ring_buffer_dequeue(&ring, &got));
}
