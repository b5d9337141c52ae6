/* Widths, signs, conversions, shifts and division of every integer type. */
#include <limits.h>
#include <stdio.h>

static unsigned hash = 1;

static void mix(const char *what, long long value) {
  hash = hash * 31 + (unsigned)value;
  printf("%s %lld\n", what, value);
}

int main(void) {
  signed char sc = -128;
  unsigned char uc = 255;
  short s = -32768;
  unsigned short us = 65535;
  int i = INT_MIN;
  unsigned u = UINT_MAX;
  long l = LONG_MIN;
  unsigned long ul = ULONG_MAX;
  long long ll = LLONG_MIN;
  unsigned long long ull = ULLONG_MAX;
  _Bool b = 0.5;

  mix("bool", b + (_Bool)256 + (_Bool)0);
  mix("sizes", sizeof(long) * 100 + sizeof(long long) * 10 + sizeof(void *));
  mix("promotion", sc - 1);
  mix("promotion", uc + 1);
  mix("promotion", (unsigned)us * us == 4294836225u);
  mix("truncation", (signed char)300);
  mix("truncation", (short)70000);
  mix("truncation", (unsigned char)-1);
  mix("mixed", -1 < 1u);
  mix("mixed", -1L < 1u);
  mix("mixed", sc < us);
  mix("division", -7 / 2);
  mix("division", -7 % 2);
  mix("division", 7 / -2);
  mix("division", u / 3);
  mix("division", ul % 10 == ULONG_MAX % 10);
  mix("division", ull / 7 % 1000);
  mix("shift", -8 >> 1);
  mix("shift", u >> 31);
  mix("shift", 1u << 31);
  mix("shift", 1ll << 62);
  mix("shift", (int)(ull >> 40));
  mix("wrap", u + 1);
  mix("wrap", us + 1);
  mix("wrap", (unsigned short)(us + 1));
  mix("wrap", ul + 1 == 0);
  mix("wrap", ull * ull);
  mix("bits", ~0x0f & 0xff);
  mix("bits", (i ^ -1) == INT_MAX);
  mix("bits", l == (long)(1ul << (sizeof(long) * CHAR_BIT - 1)));
  mix("min", ll / 2);
  mix("compare", ll < 0 && s < sc && uc > sc);
  sc++;
  uc++;
  s--;
  mix("increment", sc);
  mix("increment", uc);
  mix("increment", s);
  uc -= 10;
  us >>= 3;
  sc *= 2;
  mix("compound", uc);
  mix("compound", us);
  mix("compound", sc);
  mix("builtin", __builtin_popcount(0xf0f0) + __builtin_clz(1) + __builtin_ctz(8) + __builtin_ffs(0));
  mix("builtin", __builtin_bswap32(0x01020304));
  mix("builtin", __builtin_clzll(1) + __builtin_parity(7));
  printf("%u\n", hash);
  return hash & 0x7f;
}
