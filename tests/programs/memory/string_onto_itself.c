// check overlap: --check pointers -DFROM=2
// check apart: --check pointers -DFROM=4
// engines: bounded
#include <string.h>
int main(void) { //~[apart] TRUE
    char text[8] = {'a', 'b', 'c', 0, 'd', 'e', 0};
    text[6] = 0;
    strcpy(text + FROM, text); //~[overlap] UNKNOWN `strcpy` between strings that overlap
    //~^[overlap] never TRUE
    return 0;
}
