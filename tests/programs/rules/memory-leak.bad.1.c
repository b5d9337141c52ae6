// check: --64 --rule memory-leak
#include <stdlib.h>
extern int fill(char *text);
int main(void) {
    char *text = malloc(16);
    if (!text)
        return 1;
    if (fill(text) < 0)
        return 2; //~ FALSE memory-leak
    free(text);
    return 0;
}
