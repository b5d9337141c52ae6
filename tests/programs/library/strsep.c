// check:
#include <string.h>
extern void reach_error(void);
extern char *strsep(char **, const char *);
int main(void) {
    char a[4] = "a,b", *s = a;
    strsep(&s, ",");
    if (a[1] == 0 || s != a) reach_error(); //~ never TRUE
    return 0;
}
