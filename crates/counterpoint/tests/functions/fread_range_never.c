// never reached, TRUE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    char b[8];
    size_t n=fread(b,1,8,stdin);
    if (n>8) reach_error();
    return 0;
}
