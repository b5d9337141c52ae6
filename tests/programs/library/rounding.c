// check:
// Floats are rounded to nearest here; what comes after a call that changes that is not known.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
  double zero = 0.0, minus = -zero;
  fesetround(FE_DOWNWARD); //~ UNKNOWN another way of rounding
  if (!signbit(zero + minus)) reach_error(); //~ never TRUE //~ never FALSE
  return 0;
}
