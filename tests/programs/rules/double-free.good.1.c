// check: --64 --rule double-free
#include <stdlib.h>
extern int parse(char *text);
int main(void) { //~ TRUE
    char *text = malloc(16);
    if (!text)
        return 1;
    if (parse(text) < 0) {
        free(text);
        return 2;
    }
    free(text);
    return 0;
}
