// check: --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(8);
    if (p[4] == 5) reach_error(); //~ FALSE valid-deref
    return 0;
}
