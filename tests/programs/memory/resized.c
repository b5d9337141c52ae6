// check short: --check pointers,free -DBYTES=4
// check long: --check pointers,free -DBYTES=16
// engines: bounded
#include <stdlib.h>
int main(void) { //~[long] TRUE
    int *p = malloc(8);
    if (!p)
        return 0;
    int *q = realloc(p, BYTES);
    if (!q) {
        free(p);
        return 0;
    }
    q[1] = 1; //~[short] FALSE valid-deref
    free(q);
    return 0;
}
