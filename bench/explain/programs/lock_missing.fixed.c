/* A device is opened, used and closed. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int locked;
int device_open;
int written;

void take(void)
{
    assert(locked == 0);
    locked = 1;
}

void give(void)
{
    assert(locked == 1);
    locked = 0;
}

void write_block(int block)
{
    assert(locked == 1);
    written = block;
}

int main(void)
{
    int mode = __VERIFIER_nondet_int();
    int block = __VERIFIER_nondet_int();
    device_open = 1;
    if (mode == 1) {
        take();
        write_block(block);
        give();
    } else if (mode == 2) {
        take();
        write_block(block + 1);
        give();
    } else {
        written = -1;
    }
    device_open = 0;
    return 0;
}
