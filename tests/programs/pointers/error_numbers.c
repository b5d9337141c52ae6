// check: --malloc-never-fails
// Pointers whose numbers are the lowest stand for errors in kernels; C does not say that allocated memory lies elsewhere.
#include <stdlib.h>
extern void reach_error(void);
static int is_error(const void *p) { return (unsigned long)p > 2012; }

int main(void) { //~ never TRUE
    char *p = malloc(4);
    if (is_error(p)) {
        free(p);
        return 0;
    }
    reach_error();
    return 1;
}
