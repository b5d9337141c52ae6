// Peeking at an index gives the item that as many takings would give.
// bug: ring-buffer/ringbuffer.c: ((buffer->tail_index + index) & => ((buffer->head_index + index) &
#include "ring-buffer/ringbuffer.c"
#include "input.h"

int main(void) {
    char storage[8], data[4], got, seen;
    ring_buffer_t ring;
    ring_buffer_init(&ring, storage, 8);
    ring.head_index = ring.tail_index = input_below(8);
    input_bytes(data, 4);
    ring_buffer_queue_arr(&ring, data, 4);
    unsigned index = input_below(4);
    assert(ring_buffer_peek(&ring, &seen, index));
    for (unsigned i = 0; i <= index; i++)
        ring_buffer_dequeue(&ring, &got);
    assert(got == seen && got == data[index]);
}
