// check small: --check pointers -DROOM=5
// check fits: --check pointers -DROOM=6
// engines: bounded
#include <string.h>
int main(void) { //~[fits] TRUE
    char b[ROOM];
    strcpy(b, "hello"); //~[small] FALSE valid-deref: `strcpy` writes past the end of `b`, which has 5 bytes
    return b[0] != 'h' || strlen(b) != 5;
}
