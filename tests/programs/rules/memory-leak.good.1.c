// check: --64 --rule memory-leak
#include <stdlib.h>
extern int fill(char *text);
int main(void) { //~ TRUE
    int result = 0;
    char *text = malloc(16);
    if (!text)
        return 1;
    if (fill(text) < 0)
        result = 2;
    free(text);
    return result;
}
