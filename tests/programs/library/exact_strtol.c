// check:
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    long x = strtol("42", 0, 10);
    if (x != 42) reach_error(); //~ never FALSE
    return 0;
}
