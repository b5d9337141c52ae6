// check: --confirm
#include <stdio.h>
extern void reach_error(void);
int main(void) { //~ note: confirmed by running the compiled program
    puts("hello");
    FILE *f = fopen("x", "r");
    if (f && fgetc(f) == 'a')
        reach_error(); //~ FALSE
    return 0;
}
