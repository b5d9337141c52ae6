// check:
#include <string.h>
extern void reach_error(void);
extern void explicit_bzero(void *, __SIZE_TYPE__);
int main(void) {
    int a = 5, *p = &a;
    explicit_bzero(p, sizeof a);
    if (*p == 0) reach_error(); //~ never TRUE
    return 0;
}
