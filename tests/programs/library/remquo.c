// check:
#include <math.h>
extern void reach_error(void);
int main(void) {
    int q = 0;
    remquo(7.0, 2.0, &q);
    if (q != 0) reach_error(); //~ never TRUE
    return 0;
}
