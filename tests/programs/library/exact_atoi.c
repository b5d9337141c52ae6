// check:
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int x = atoi("42");
    if (x != 42) reach_error(); //~ never FALSE
    return 0;
}
