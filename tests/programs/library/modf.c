// check:
#include <math.h>
extern void reach_error(void);
int main(void) {
    double i = 0;
    modf(3.5, &i);
    if (i == 3.0) reach_error(); //~ never TRUE
    return 0;
}
