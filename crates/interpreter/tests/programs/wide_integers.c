/* 128-bit integers, from 64-bit parts. Only LP64 has them. */
#include <stdio.h>

#ifdef __SIZEOF_INT128__
typedef __int128 wide;
typedef unsigned __int128 uwide;

static void show(const char *what, uwide value) {
  printf("%s %016llx%016llx\n", what, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static uwide factorial(int n) { return n == 0 ? 1 : n * factorial(n - 1); }

static uwide global = (uwide)5 << 100;

int main(void) {
  wide w = -1;
  uwide u = ~(uwide)0;
  show("minus one", w);
  show("shift", u >> 3);
  show("arithmetic shift", ((wide)1 << 127) >> 100);
  show("product", (uwide)0xffffffffffffffffull * 0xffffffffffffffffull);
  show("quotient", u / 1000000007);
  show("remainder", u % 1000000007);
  show("signed quotient", w * 12345678901234567ll / 7);
  show("factorial", factorial(33));
  show("global", global++);
  show("global", global);
  printf("%d %d %d\n", w < 0, u > 0, (wide)u == w);
  printf("%.0f %.0f\n", (double)u, (double)w);
  uwide array[3] = {1, u, 3};
  uwide *p = &array[1];
  show("through a pointer", *p - 1);
  return (int)(u % 100);
}
#else
int main(void) {
  puts("no 128-bit integers");
  return 0;
}
#endif
