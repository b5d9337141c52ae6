#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(8);
    if (!p)
        return 1;
    char *q = realloc(p, 9);
    if (q && q != p)
        reach_error();
    return 0;
}
