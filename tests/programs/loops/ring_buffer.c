// check: --time-limit 20s
// engines: induction
// The number of elements in a ring buffer is how far the tail is ahead of the head, also when both have wrapped around.
extern int nondet(void);
#include <assert.h>
enum { SIZE = 16 };
struct ring {
    unsigned head, tail, count;
    int slots[SIZE];
};
static struct ring ring;
static int push(struct ring *r, int value) {
    if (r->count == SIZE)
        return 0;
    r->slots[r->tail % SIZE] = value;
    r->tail++;
    r->count++;
    return 1;
}
static int pop(struct ring *r, int *value) {
    if (r->count == 0)
        return 0;
    *value = r->slots[r->head % SIZE];
    r->head++;
    r->count--;
    return 1;
}
int main(void) { //~[induction] TRUE
    int value;
    while (nondet()) {
        if (nondet())
            push(&ring, nondet());
        else
            pop(&ring, &value);
        assert(ring.count == ring.tail - ring.head);
        assert(ring.count <= SIZE);
    }
    return 0;
}
