// check: --external pure --assume-separate
// check CONVERTED: --external pure --assume-separate -DCONVERTED
// As far as is known of memory the pointer may hold the address of `set`, but it says that it leads to functions with no
// parameters: only where `set` was converted to such a pointer can it be called by it.
#include <assert.h>
static int state;
static void set(int value) { state = value; }
struct device {
    void (*reset)(void);
    void (*set)(int value);
};
extern struct device *device;

int main(void) { //~ TRUE
    void (**slots)(void) = (void (**)(void))device; //~^[CONVERTED] never TRUE
    device->set = set;
#ifdef CONVERTED
    device->reset = (void (*)(void))set;
#endif
    state = 0;
    slots[0](); //~[CONVERTED] UNKNOWN a call through a pointer that may lead to a function that is not known
    assert(state == 0);
    return 0;
}
