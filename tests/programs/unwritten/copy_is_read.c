// check: --check uninitialised
// engines: bounded slam
// What is copied as a whole, or byte by byte, takes along what it holds.
#include <string.h>
struct s { char c; int v, w; };
int main(void) {
    struct s x, y, z;
    x.c = 1;
    x.v = 2;
    y = x;
    memcpy(&z, &y, sizeof z);
    return z.v + z.w; //~ FALSE no-uninitialised-read: `z.w`
}
