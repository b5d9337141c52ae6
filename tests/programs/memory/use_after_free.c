// check: --check pointers
// engines: bounded
#include <stdlib.h>
extern int nondet(void);
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    if (nondet() > 3)
        free(p);
    return *p; //~ FALSE valid-deref
}
