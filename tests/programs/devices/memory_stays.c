// check:
// No device changes the program's own memory, and a register that is read once has one value.
#include <assert.h>
struct port { volatile unsigned mode, in, out; };
#define PORT ((struct port *)0x48000000)
static int count = 3;

int main(void) { //~ TRUE
    PORT->out = 0xff;
    unsigned seen = PORT->in;
    PORT->out |= seen & 1;
    switch (PORT->mode & 3) {
    case 0: count = 3; break;
    case 1: count = 4; break;
    default: break;
    }
    assert(count == 3 || count == 4);
    assert(((seen ^ seen) | (unsigned)(count - count)) == 0);
    return 0;
} //~ note: devices at 0x48000000-0x4800000b
