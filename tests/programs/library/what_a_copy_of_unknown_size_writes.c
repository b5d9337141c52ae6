// check:
#include <string.h>
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    int from = 7, to = 5, *p = &to; unsigned n = nondet();
    if (n > sizeof to) return 0;
    memcpy(p, &from, n); //~ UNKNOWN depends on what `memcpy` writes, which is not followed exactly, at
    if (*p != 5 && *p != 7) reach_error(); //~ never FALSE
    return 0;
}
