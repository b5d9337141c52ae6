// What is free and what is full are together the capacity, wherever reading and writing stand.
// define: LWRB_DISABLE_ATOMIC
// include: lwrb/src/include
// bug: lwrb/src/lwrb/lwrb.c: size = buff->size - (r_ptr - w_ptr); => size = buff->size - (r_ptr - w_ptr) - 1;
#include "lwrb/src/lwrb/lwrb.c"
#include "input.h"

int main(void) {
    unsigned char storage[1];
    lwrb_t ring;
    lwrb_sz_t size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size > 1);
    assert(lwrb_init(&ring, storage, size));
    ring.w_ptr = __VERIFIER_nondet_uint();
    ring.r_ptr = __VERIFIER_nondet_uint();
    __VERIFIER_assume(ring.w_ptr < size && ring.r_ptr < size);
    assert(lwrb_get_free(&ring) + lwrb_get_full(&ring) == size - 1);
}
