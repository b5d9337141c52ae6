// check:
#include <math.h>
extern void reach_error(void);
int main(void) {
    double x = floor(2.5);
    if (x != 2.0) reach_error(); //~ never FALSE
    return 0;
}
