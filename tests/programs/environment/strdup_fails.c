// check: --rule memory-leak
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *a = malloc(4);
    if (!a) return 1;
    char *b = strdup("x");
    if (!b) return 1; //~ never TRUE
    free(a);
    free(b);
    return 0;
}
