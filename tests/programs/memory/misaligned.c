// check beside: --check alignment -DAT=2
// check there: --check alignment -DAT=4
// engines: bounded
#include <stdlib.h>
int main(void) { //~[there] TRUE
    char *block = malloc(16);
    if (!block)
        return 0;
    int *p = (int *)(block + AT);
    *p = 7; //~[beside] FALSE no-misaligned-access: `*p` is at an address that is no multiple of 4, as `int` needs
    free(block);
    return 0;
}
