/* A network card: when the card is full, the driver waits and tries again. It waits with the lock held, which it must not. */
#include <kernel.h>

static spinlock_t ring;

static void send(void)
{
    int tries = 0;
    spin_lock(&ring);
    while (read_register(2) == 0 && tries < 3) {
        msleep(1);
        tries++;
    }
    spin_unlock(&ring);
}

int main(void)
{
    while (next_request())
        send();
    return 0;
}
