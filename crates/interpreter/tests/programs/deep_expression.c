/* Expressions far too deep for recursive evaluation. */
#include <stdio.h>
#define T4(x) x + x + x + x
#define T16(x) T4(x) + T4(x) + T4(x) + T4(x)
#define T64(x) T16(x) + T16(x) + T16(x) + T16(x)
#define T256(x) T64(x) + T64(x) + T64(x) + T64(x)
#define T1024(x) T256(x) + T256(x) + T256(x) + T256(x)
#define T4096(x) T1024(x) + T1024(x) + T1024(x) + T1024(x)

int main(void) {
  int i = 3;
  double d = 0.5;
  long long sum = T4096(i);
  double other = T4096(d);
  printf("%lld %g\n", sum, other);
  if (T1024(i) == 3072) puts("equal");
  return 0;
}
