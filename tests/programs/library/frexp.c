// check:
#include <math.h>
extern void reach_error(void);
int main(void) {
    int e = 0;
    frexp(8.0, &e);
    if (e == 4) reach_error(); //~ never TRUE
    return 0;
}
