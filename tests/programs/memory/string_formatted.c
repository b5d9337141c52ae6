// check small: --check pointers -DROOM=7
// check fits: --check assertions,pointers -DROOM=8
// engines: bounded
#include <assert.h>
#include <stdio.h>
#include <string.h>
extern int nondet_int(void);
int main(void) { //~[fits] TRUE
    char text[ROOM], part[4], name[4] = "abc";
    int n = nondet_int();
    if (n < -99 || n > 999)
        return 0;
    int length = sprintf(text, "%s=%d", name, n); //~[small] FALSE valid-deref: `sprintf` writes past the end of `text`, which has 7 bytes
    assert(length == (int)strlen(text));
    assert(snprintf(part, sizeof part, "%s%c%x", name, '-', 255u) == 6);
    assert(strcmp(part, "abc") == 0);
    return 0;
}
