// Lengths of codes are accepted exactly when they make a complete code.
// bug: zlib/inftrees.c: if (left < 0) return -1; => if (left < -1) return -1;
#include "zlib/inftrees.c"
#include "input.h"

int main(void) {
    unsigned short lens[3], work[3];
    code table[16], *next = table;
    unsigned int bits = 3, sum = 0;
    for (int i = 0; i < 3; i++) {
        lens[i] = (unsigned short)input_below(4);
        if (lens[i])
            sum += 8u >> lens[i];
    }
    __VERIFIER_assume(sum != 0);
    int result = inflate_table(CODES, lens, 3, &next, &bits, work);
    assert((result == 0) == (sum == 8));
    if (result == 0)
        assert(next == table + (1 << bits));
}
