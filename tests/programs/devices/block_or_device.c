// check: --malloc-never-fails
// engines: bounded
// Allocated memory in place of a device holds what was written.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct port { volatile unsigned in, out; };
#define PORT ((struct port *)0x48000000)

static unsigned get(struct port *port) { return port->in; }

int main(void) { //~ TRUE
    struct port *fake = malloc(sizeof *fake);
    fake->in = 5;
    assert(get(fake) == 5);
    if (__VERIFIER_nondet_int())
        return get(PORT) == 1;
    return 0;
}
