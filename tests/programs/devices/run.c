// run: --input 2,9
// The values of registers are inputs in the order in which they are read.
#include <assert.h>
#define STATUS (*(volatile unsigned *)0x40021000)
struct port { volatile unsigned in, out; };

static unsigned get(struct port *port) { return port->in; }

int main(void) {
    unsigned status = STATUS;
    unsigned in = get((struct port *)0x48000000);
    assert(status == 2 && in == 8); //~ error: assertion failed
    return 0;
}
