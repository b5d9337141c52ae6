// check null: --check pointers -DTEXT=0
// check freed: --check pointers -DTEXT=p
// check sound: --check pointers -DTEXT=text
// engines: bounded
#include <stdlib.h>
#include <string.h>
int main(void) { //~[sound] TRUE
    char text[4] = "abc", *p = malloc(4);
    if (!p)
        return 0;
    strcpy(p, text);
    free(p);
    return strcmp(TEXT, "abd"); //~[null,freed] FALSE valid-deref
}
