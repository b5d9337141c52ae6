// check small: --check pointers -DROOM=3
// check fits: --check assertions,pointers -DROOM=4
// engines: bounded
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern char nondet_char(void);
int main(void) { //~[fits] TRUE
    char from[4];
    for (int i = 0; i < 3; i++)
        from[i] = nondet_char();
    from[3] = 0;
    char *to = malloc(ROOM);
    if (!to)
        return 0;
    strcpy(to, from); //~[small] FALSE valid-deref: `strcpy` writes at `to` where there is no memory: null, freed, or past the end of an object
    assert(strcmp(to, from) == 0);
    assert(strlen(to) <= 3);
    free(to);
    return 0;
}
