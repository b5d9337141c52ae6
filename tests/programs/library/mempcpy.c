// check:
#include <string.h>
extern void reach_error(void);
extern void *mempcpy(void *, const void *, __SIZE_TYPE__);
int main(void) {
    int a = 5, b = 7, *p = &a;
    mempcpy(p, &b, sizeof b);
    if (*p == 7) reach_error(); //~ never TRUE
    return 0;
}
