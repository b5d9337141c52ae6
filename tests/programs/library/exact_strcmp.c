// check:
#include <string.h>
extern void reach_error(void);
int main(void) {
    int x = strcmp("a", "b");
    if (x >= 0) reach_error(); //~ never FALSE
    return 0;
}
