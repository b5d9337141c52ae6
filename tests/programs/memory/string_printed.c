// check endless: --check pointers -DEND=120
// check ends: --check pointers -DEND=0
// engines: bounded
#include <stdio.h>
int main(void) { //~[ends] TRUE
    char text[4] = {'a', 'b', 'c', END};
    printf("%d: %s\n", 1, text); //~[endless] FALSE valid-deref: `printf`: `text` is no string that ends in its object
    puts(text);
    return 0;
}
