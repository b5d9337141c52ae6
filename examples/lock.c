/* A driver's request loop: the lock is taken at the top of the loop and given back before the loop goes on.
 * Correct: when the loop ends, no request was handled in the last round, so the lock is still held. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int held;

static void acquire(void)
{
    assert(!held);
    held = 1;
}

static void release(void)
{
    assert(held);
    held = 0;
}

int main(void)
{
    unsigned handled = 0, seen;
    do {
        acquire();
        seen = handled;
        if (__VERIFIER_nondet_int()) {
            release();
            handled++;
        }
    } while (handled != seen);
    release();
    return 0;
}
