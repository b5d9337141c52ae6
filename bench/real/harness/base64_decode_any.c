// The same for texts of any length: no bound on the loop.
// bug: base64/base64.c: if (inlen & 0x3) => if (inlen & 0x1)
#include <stdlib.h>
#include "base64/base64.c"
#include "input.h"

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 1000000);
    char *in = malloc(n + 1);
    unsigned char *out = malloc(n + 1);
    if (!in || !out)
        return 0;
    assert(base64_decode(in, n, out) <= n);
    assert(n % 4 == 0 || base64_decode(in, n, out) == 0);
}
