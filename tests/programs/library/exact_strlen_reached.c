// check:
#include <string.h>
extern void reach_error(void);
int main(void) {
    unsigned x = strlen("abc");
    if (x == 3) reach_error(); //~ never TRUE
    return 0;
}
