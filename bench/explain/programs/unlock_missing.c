/* A lock around the handling of requests; a request that is refused leaves without giving the lock back. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int held;
int queued;
int refused;

void lock(void)
{
    assert(!held);
    held = 1;
}

void unlock(void)
{
    assert(held);
    held = 0;
}

int admit(int size)
{
    if (size < 0)
        return 0;
    if (size > 512)
        return 0;
    return 1;
}

int handle(int size)
{
    int result;
    lock();
    queued = queued + 1;
    if (!admit(size)) {
        refused = refused + 1;
        return -1;
    }
    result = size / 2;
    queued = queued - 1;
    unlock();
    return result;
}

int main(void)
{
    int rounds = 0;
    int total = 0;
    while (rounds < 3) {
        int size = __VERIFIER_nondet_int();
        int done = handle(size);
        if (done >= 0)
            total = total + done;
        rounds = rounds + 1;
    }
    return 0;
}
