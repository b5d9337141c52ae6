/* Floating point: arithmetic, comparisons, conversions, the corners of IEEE 754. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static void show(const char *what, double value) { printf("%s %.17g %a\n", what, value, value); }

int main(void) {
  volatile double zero = 0, one = 1;
  float f = 16777216;
  double d = 0.1, nan = zero / zero, inf = one / zero;
  long double ld = 1.0L / 3;
  show("sum", d + 0.2);
  show("float", f + 1.0f);
  show("float", (float)0.1);
  show("quotient", 1 / 3.0);
  show("negative zero", -zero);
  show("infinite", -inf);
  show("tiny", DBL_MIN / 3);
  show("huge", DBL_MAX * 2);
  printf("%d%d%d%d%d%d\n", nan == nan, nan != nan, nan < 1, nan > 1, inf > DBL_MAX, zero == -zero);
  printf("%d %d %d\n", (int)-2.9, (int)2.9f, (int)(unsigned char)200.7);
  printf("%u %llu %lld\n", (unsigned)4e9, (unsigned long long)1e19, (long long)-9e18);
  show("from unsigned", 18446744073709551615ull);
  show("from int", (float)2147483647);
  printf("%d %d %d\n", !zero, !nan, zero ? 1 : 0);
  printf("%.20Lg %Lf %La\n", ld, ld * 3, ld);
  printf("%.19Lg\n", (long double)0.1 + 1);
  printf("%d\n", (double)ld == 1.0 / 3);
  show("floor", floor(-1.5) + ceil(1.2) * 10 + trunc(-3.9) * 100 + round(2.5) * 1000);
  show("sqrt", sqrt(2));
  show("fmod", fmod(-7.5, 2));
  show("fabs", fabs(-1e300));
  show("pow", pow(2, 0.5));
  printf("%d %d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, isfinite(d) != 0, signbit(-zero) != 0);
  float product = 1;
  for (int i = 0; i < 20; i++)
    product *= 1.1f;
  show("product", product);
  double sum = 0;
  for (int i = 1; i <= 1000; i++)
    sum += 1.0 / i;
  show("harmonic", sum);
  return 0;
}
