// check copy: --check pointers -DCOPY
// check append: --check pointers -DAPPEND
// check compare: --check pointers -DCOMPARE
// check find: --check pointers -DFIND
// check length: --check pointers -DLENGTH
// check right: --check assertions,pointers
// engines: bounded
#include <assert.h>
#include <string.h>
int main(void) { //~[right] TRUE
    char name[4] = {'a', 'b', 'c', 'd'}, other[8] = "abc";
#ifdef COPY
    strncpy(name, "", 5); //~[copy] FALSE valid-deref: `strncpy` writes past the end of `name`, which has 4 bytes
#elif defined APPEND
    strncat(other, name, 5); //~[append] FALSE valid-deref
#elif defined COMPARE
    return strncmp(name, "abcde", 5); //~[compare] FALSE valid-deref: `strncmp` reads past the end of `name`, which has 4 bytes
#elif defined FIND
    return memchr(name, 'x', 5) != 0; //~[find] FALSE valid-deref: `memchr` reads past the end of `name`, which has 4 bytes
#elif defined LENGTH
    return strnlen(name, 5); //~[length] FALSE valid-deref: `strnlen` reads past the end of `name`, which has 4 bytes
#endif
    assert(strncmp(name, "abce", 4) < 0);
    assert(strncmp(name, other, 3) == 0);
    assert(strncmp(name, other, 4) > 0);
    assert(memchr(name, 'c', 9) == name + 2);
    assert(strnlen(name, 4) == 4);
    strncat(other, name, 4);
    assert(strcmp(other, "abcabcd") == 0);
    strncpy(name, "xy", 4);
    assert(strcmp(name, "xy") == 0);
    strncpy(name, "wxyz", 4);
    return name[3] != 'z';
}
