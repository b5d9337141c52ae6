// check: --external pure --assume-separate
// Somewhere in this memory there is the address of `set`: that it is not called as a function without parameters is assumed.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int state;
static void set(int value) { state = value; }
struct device {
    void (*reset)(void);
    void (*set)(int value);
};
extern struct device *device;

int main(void) { //~ TRUE //~ note: assumed: calls through pointers pass as many arguments
    unsigned which = __VERIFIER_nondet_uint() % 2;
    device->set = set;
    state = 0;
    (*(void (**)(void))((char *)device + which * sizeof(void *)))();
    assert(state == 0);
    return 0;
}
