// check:
#include <string.h>
extern void reach_error(void);
extern char *strtok_r(char *, const char *, char **);
int main(void) {
    char a[4] = "a,b", *s;
    strtok_r(a, ",", &s);
    if (a[1] == 0) reach_error(); //~ never TRUE
    return 0;
}
