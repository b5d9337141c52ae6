// check:
#include <stdio.h>
extern void reach_error(void);
extern int asprintf(char **, const char *, ...);
int main(void) {
    char *s = 0;
    asprintf(&s, "x");
    if (s != 0) reach_error(); //~ never TRUE
    return 0;
}
