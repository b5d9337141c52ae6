// check: --check pointers
// engines: bounded
#include <stdlib.h>
int main(void) {
    char digits[] = "42", *end;
    long number = strtol(digits, 0, 10); //~ never FALSE
    return number == 0;
}
