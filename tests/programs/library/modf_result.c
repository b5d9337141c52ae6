// check:
#include <math.h>
extern void reach_error(void);
int main(void) {
    double i, r = modf(3.5, &i);
    if (r != 0.5 || i != 3.0) reach_error(); //~ never FALSE
    return 0;
}
