// check: --check uninitialised --malloc-never-fails
#include <stdlib.h>
int main(void) {
    int *p = malloc(2 * sizeof *p), *z = calloc(2, sizeof *z);
    p[0] = z[1];
    int r = p[0] + p[1]; //~ FALSE no-uninitialised-read: `p[1]`
    return r;
}
