// check short: --check pointers -DAT=4
// check inside: --check assertions,pointers,leaks -DAT=3
// engines: bounded
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern char nondet_char(void);
int main(void) { //~[inside] TRUE
    char text[4] = "abc";
    text[1] = nondet_char();
    if (!text[1])
        return 0;
    char *copy = strdup(text), *part = strndup(text, 2);
    if (copy)
        copy[AT] = 0; //~[short] FALSE valid-deref
    if (copy && part) {
        assert(strcmp(copy, text) == 0);
        assert(strlen(part) == 2 && part[0] == 'a');
    }
    free(part);
    free(copy);
    return 0;
}
