// check:
#include <string.h>
extern void reach_error(void);
extern char *stpcpy(char *, const char *);
int main(void) {
    char a[4] = "ab";
    stpcpy(a, "x");
    if (a[0] == 'x') reach_error(); //~ never TRUE
    return 0;
}
