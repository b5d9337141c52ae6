// check:
#include <string.h>
extern void reach_error(void);
int main(void) {
    int x = memcmp("ab", "ab", 2);
    if (x != 0) reach_error(); //~ never FALSE
    return 0;
}
