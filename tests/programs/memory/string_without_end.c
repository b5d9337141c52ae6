// check: --check pointers
// engines: bounded
#include <string.h>
int main(void) {
    char text[2] = {'a', 'b'};
    return strlen(text); //~ FALSE valid-deref: `strlen`: `text` is no string that ends in its object
}
