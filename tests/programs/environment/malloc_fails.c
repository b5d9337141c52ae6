// check:
// Allocation may fail by default.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(8);
    if (!p) reach_error(); //~ never TRUE
    return 0;
}
