// check:
// check separate: --external pure --assume-separate
// A number from outside is the address of an array that was taken for a number before.
#include <stdint.h>
extern void reach_error(void);
extern uintptr_t nondet(void);
char a[4], b[4];
int main(void) {
    char *p = (char *)(nondet() - (uintptr_t)&a[0]);
    if ((uintptr_t)p == (uintptr_t)&b[0]) {
        *p = 3;
        if (b[0] == 3) reach_error(); //~ never TRUE
    }
    return 0;
}
