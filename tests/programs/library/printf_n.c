// check:
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int n = 0;
    printf("abc%n", &n);
    if (n == 3) reach_error(); //~ never TRUE
    return 0;
}
