// check:
#include <string.h>
extern void reach_error(void);
int main(void) {
    char a[4] = "a,b";
    strtok(a, ",");
    if (a[1] == 0) reach_error(); //~ never TRUE
    return 0;
}
