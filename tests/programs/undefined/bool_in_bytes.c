// check:
// Bytes that are 0 or 1 are values of a `_Bool`.
#include <string.h>
extern void reach_error(void);
int main(void) { //~ TRUE
    _Bool b, c;
    char bytes[2] = {0, 1};
    memcpy(&b, &bytes[0], 1);
    memcpy(&c, &bytes[1], 1);
    if (b || !c || b + c != 1)
        reach_error();
    return 0;
}
