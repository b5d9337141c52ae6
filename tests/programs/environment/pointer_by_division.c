// check:
// The number is the address again, although no address goes into its sum.
#include <stdint.h>
extern void reach_error(void);
char b[4];
int main(void) {
    uintptr_t address = (uintptr_t)&b[0], copy;
    copy = address / 3 * 3 + address % 3;
    char *p = (char *)copy;
    *p = 3;
    if (b[0] == 3) reach_error(); //~ never TRUE
    return 0;
}
