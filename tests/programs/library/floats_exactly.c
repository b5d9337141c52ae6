// check:
// engines: bounded
// What C defines to the last bit.
#include <math.h>
extern void reach_error(void);
extern float nondet(void);
int main(void) { //~ TRUE
    float x = nondet();
    if (isnan(x) || fabsf(x) > 1000) return 0;
    if (fminf(x, 2) > 2 || fmaxf(x, 2) < x || isnan(fminf(x, NAN))) reach_error();
    if (fdimf(x, 2) < 0 || copysignf(x, -1.0f) > 0) reach_error();
    if (fabsf(roundf(x) - x) > 0.5f || fabsf(rintf(x) - x) > 0.5f) reach_error();
    if (roundf(2.5f) != 3 || rintf(2.5f) != 2 || lroundf(-2.5f) != -3 || lrintf(3.5f) != 4) reach_error();
    if (x > 1 && fpclassify(x) != FP_NORMAL) reach_error();
    return 0;
}
