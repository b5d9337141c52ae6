/* A serial line: what the line refuses is dropped at once. */
#include <kernel.h>

static spinlock_t lock;

int main(void)
{
    while (next_request()) {
        char *text = kmalloc(80, 0);
        if (!text)
            break;
        spin_lock(&lock);
        if (read_register(3)) {
            spin_unlock(&lock);
            kfree(text);
            continue;
        }
        text[0] = (char)read_register(4);
        spin_unlock(&lock);
        kfree(text);
    }
    return 0;
}
