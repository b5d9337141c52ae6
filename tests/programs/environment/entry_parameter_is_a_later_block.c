// check: --entry f --arguments any
#include <stdlib.h>
extern void reach_error(void);
void f(int *q) {
    int *p = malloc(sizeof *p);
    if (p && p == q)
        reach_error(); //~ never FALSE //~ UNKNOWN needs the address of memory before that is allocated
}
