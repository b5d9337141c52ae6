// check:
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int x = abs(-3);
    if (x != 3) reach_error(); //~ never FALSE
    return 0;
}
