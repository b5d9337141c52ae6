// check: --check uninitialised
#include <string.h>
int main(void) {
    char text[8];
    text[7] = 0;
    return strlen(text) > 3; //~ FALSE no-uninitialised-read: `strlen` reads
}
