// check:
// The address of a device is passed on in a variable.
#include <assert.h>
struct port { volatile unsigned mode, in, out; };
#define PORT_A ((struct port *)0x48000000)
#define PORT_B ((struct port *)0x48000400)

static unsigned get(struct port *port) {
    port->mode = 0;
    return port->in; //~ trace: port->in = 
}

int main(void) {
    unsigned a = get(PORT_A), b = get(PORT_B);
    assert(a == b || a < 0x80000000u); //~ FALSE
    return 0;
}
