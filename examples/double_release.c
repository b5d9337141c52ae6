/* The loop of lock.c with an early way out that forgets that the lock was given back already: the inputs 1,7 show it. */
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
            if (__VERIFIER_nondet_int() == 7)
                break;
        }
    } while (handled != seen);
    release();
    return 0;
}
