// check:
// A pointer that may lead to an object as well is not taken for a device's, whatever the object's address is.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct port { volatile unsigned in, out; };
#define PORT ((struct port *)0x48000000)

static unsigned get(struct port *port) { return port->in; }

int main(void) { //~ TRUE
    struct port fake = {5, 6};
    assert(get(&fake) == 5);
    if (__VERIFIER_nondet_int())
        return get(PORT) == 1;
    return 0;
}
