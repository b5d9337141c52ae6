// check: --rule double-free
#include <stdlib.h>
#include <string.h>

int main(void) { //~ TRUE
    char *text = malloc(8), *copy;
    if (!text)
        return 1;
    strcpy(text, "text");
    copy = realloc(text, 100);
    if (!copy) {
        free(text);
        return 1;
    }
    text = strdup(copy);
    free(copy);
    free(text);
    free(NULL);
    copy = malloc(8);
    if (copy)
        memset(copy, 0, 8);
    free(copy);
    return 0;
}
