// check local: --check free -DLOCAL
// check inside: --check free
// engines: bounded
#include <stdlib.h>
int main(void) {
    int array[4];
    char *p = malloc(8);
    if (!p)
        return 0;
#ifdef LOCAL
    free(array); //~[local] FALSE valid-free
#else
    free(p + 1); //~[inside] FALSE valid-free
#endif
    return 0;
}
