// check:
#include <string.h>
extern void reach_error(void);
extern void *memccpy(void *, const void *, int, __SIZE_TYPE__);
int main(void) {
    char a[4] = "ab";
    memccpy(a, "xyz", 'z', 3);
    if (a[0] == 'x') reach_error(); //~ never TRUE
    return 0;
}
