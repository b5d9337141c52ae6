// check:
// engines: slam auto
// What was printed as a pointer is that pointer when it is read.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char text[40];
    int x = 0, *pointer;
    sprintf(text, "%p", (void *)&x);
    sscanf(text, "%p", (void **)&pointer); //~ UNKNOWN reads from text
    *pointer = 1;
    if (x)
        reach_error(); //~ never TRUE
    return 0;
}
