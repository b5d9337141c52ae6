// check:
#include <string.h>
extern void reach_error(void);
int main(void) {
    char a[8] = {0};
    strxfrm(a, "x", 8);
    if (a[0] != 0) reach_error(); //~ never TRUE
    return 0;
}
