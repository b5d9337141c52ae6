// check:
// What was written to a device is not what is read there.
#include <assert.h>
#define DATA (*(volatile unsigned char *)0x40004400)

int main(void) {
    DATA = 7;
    assert(DATA == 7); //~ FALSE
    return 0;
}
