// check:
#include <string.h>
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    char from[16] = {0}, to[16]; unsigned n = nondet();
    if (n > 16) return 0;
    memcpy(to, from, n);
    if (n == 7) reach_error(); //~ FALSE
    return 0;
}
