// check: --64 --rule double-free
#include <stdlib.h>
extern int parse(char *text);
int main(void) {
    char *text = malloc(16);
    if (!text)
        return 1;
    if (parse(text) < 0)
        free(text);
    free(text); //~ FALSE double-free
    return 0;
}
