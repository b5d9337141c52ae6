// check:
#include <stdio.h>
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    int n = printf("%x", nondet()); //~ UNKNOWN depends on what `printf` returns
    if (n > 8) reach_error(); //~ never FALSE
    return 0;
}
