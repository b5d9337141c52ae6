// check far: --check pointers -DBYTES=9
// check near: --check pointers -DBYTES=8
// engines: bounded
#include <string.h>
int main(void) { //~[near] TRUE
    char from[8] = "seven..", to[10];
    memcpy(to, from, BYTES); //~[far] FALSE valid-deref
    return to[2];
}
