// check:
#include <math.h>
extern void reach_error(void);
int main(void) {
    double d = nan("");
    if (d == d) reach_error(); //~ never FALSE
    return 0;
}
