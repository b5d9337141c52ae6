#include <stdio.h>
extern void reach_error(void);
int main(void) {
    puts("hello");
    FILE *f = fopen("x", "r");
    if (f && fgetc(f) == 'a')
        reach_error();
    return 0;
}
