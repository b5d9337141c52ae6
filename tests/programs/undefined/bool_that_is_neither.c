// check copied:
// check stored: -DSTORED
// check pointer: -DPOINTER
// A `_Bool` that holds 97 has no value: to read it is undefined, and gcc's code does not find 97 there.
#include <string.h>
extern void reach_error(void);
int main(void) {
#if defined STORED
    _Bool b = 0;
    *(char *)&b = 97;
    if ((int)b == 97) //~[stored] never FALSE //~[stored] UNKNOWN has undefined behaviour: read of a `_Bool` that holds 97
        reach_error();
#elif defined POINTER
    int i = 97;
    _Bool *b = (_Bool *)&i;
    if (*b != 1) //~[pointer] never FALSE //~[pointer] UNKNOWN has undefined behaviour: read of a `_Bool` that holds 97
        reach_error();
#else
    _Bool b;
    char c = 97;
    memcpy(&b, &c, 1);
    if (b == 97) //~[copied] never FALSE //~[copied] UNKNOWN has undefined behaviour: read of a `_Bool` that holds 97
        reach_error();
#endif
    return 0;
}
