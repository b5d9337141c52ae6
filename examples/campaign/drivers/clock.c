/* A clock: every request reads it, under its lock. */
#include <kernel.h>

static spinlock_t lock;
static int last;

static int read_clock(void)
{
    int now;
    spin_lock(&lock);
    now = read_register(0);
    if (now < last)
        now = last;
    last = now;
    spin_unlock(&lock);
    return now;
}

int main(void)
{
    while (next_request())
        read_clock();
    return 0;
}
