// check:
// What is read replaces what was there.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int n = 5;
    scanf("%d", &n); //~ UNKNOWN depends on what `scanf` writes
    if (n != 5) reach_error(); //~ never TRUE
    return 0;
}
