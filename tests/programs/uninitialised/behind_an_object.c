// check: --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(8);
    if (p[4] == 5) reach_error(); //~ UNKNOWN read of 4 bytes at offset 16 of allocated memory //~ never FALSE
    return 0;
}
