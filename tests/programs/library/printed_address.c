// check is: -DIS===
// check is_not: -DIS=!=
// engines: auto sampling
// Where an object lies is not said, nor how that is spelled.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char text[40];
    int x;
    sprintf(text, "%p", (void *)&x);
    if (text[2] IS '7')
        reach_error(); //~ never TRUE
    return 0;
}
