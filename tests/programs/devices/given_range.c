// check: --mmio 0x10-0xff,0x5000-0x5fff
// Where the user says that there are devices, `volatile` is not asked for.
#include <assert.h>

int main(void) {
    *(unsigned char *)0x25 = 1;
    unsigned char a = *(unsigned char *)0x23;
    unsigned char b = *(unsigned char *)0x23;
    assert(a == b); //~ FALSE
    return 0;
}
