/* What harnesses ask for: inputs, and what they take for granted about them. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

static void input_bytes(void *to, size_t n) {
    unsigned char *bytes = to;
    for (size_t i = 0; i < n; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
}

static unsigned int input_below(unsigned int bound) {
    unsigned int n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < bound);
    return n;
}
