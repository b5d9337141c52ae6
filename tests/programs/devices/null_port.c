// check: --check pointers
// Null is no device.
struct port { volatile unsigned in, out; };
#define PORT ((struct port *)0x48000000)
extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct port *port = 0;
    if (__VERIFIER_nondet_int())
        port = PORT;
    port->out = 1; //~ FALSE valid-deref
    return 0;
}
