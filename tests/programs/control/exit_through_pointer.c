// check:
#include <stdlib.h>
extern void reach_error(void);
int main(void) { void (*leave)(int) = exit; leave(1); reach_error(); //~ TRUE
    return 0; }
