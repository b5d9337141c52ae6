// check:
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char a[4096] = "x";
    getcwd(a, sizeof a);
    if (a[0] == '/') reach_error(); //~ never TRUE
    return 0;
}
