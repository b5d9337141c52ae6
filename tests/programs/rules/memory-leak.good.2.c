// check: --64 --rule memory-leak
#include <stdlib.h>
int main(void) { //~ TRUE
    int *a = malloc(4), *b = malloc(4);
    int result = !a || !b;
    free(a);
    free(b);
    return result;
}
