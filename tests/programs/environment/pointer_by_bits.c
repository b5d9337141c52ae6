// check:
// No address goes into the number but by conditions.
#include <stdint.h>
extern void reach_error(void);
extern char nondet(void);
char b[4];
int main(void) {
    uintptr_t address = (uintptr_t)&b[0], copy = 0;
    for (int bit = 0; bit < 64 && bit < 8 * (int)sizeof address; bit++)
        if (address & ((uintptr_t)1 << bit)) copy |= (uintptr_t)1 << bit;
    char *p = (char *)copy;
    *p = nondet();
    if (b[0] == 3) reach_error(); //~ never TRUE
    return 0;
}
