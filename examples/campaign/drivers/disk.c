/* A disk: a request has a buffer, which is freed whether the transfer succeeds or not. */
#include <kernel.h>

static spinlock_t queue;
static int pending;

static int transfer(char *buffer)
{
    int error;
    spin_lock(&queue);
    pending++;
    spin_unlock(&queue);
    msleep(1);
    error = read_register(1);
    buffer[0] = (char)error;
    spin_lock(&queue);
    pending--;
    spin_unlock(&queue);
    return error;
}

int main(void)
{
    while (next_request()) {
        char *buffer = kmalloc(512, 0);
        if (!buffer)
            continue;
        transfer(buffer);
        kfree(buffer);
    }
    return 0;
}
