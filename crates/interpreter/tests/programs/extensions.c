// What gcc accepts beyond the standard: spellings that it warns about at most, and complex numbers.
#include <stdio.h>

char joined[] = "a"
#pragma whatnot
    "b"
#pragma another one
    "c";
char nested[1][1][5] = {"1234"};
int braced[] = {{1}, {{{2}}}, 3};
__float80 extended = 1.5L;

_Complex float first = 1 + 2i;
_Complex float second = {1 + 3i, 2};
struct
{
    int before;
    _Complex int z;
    int after;
} around = {1, 3i - 2, 4};
_Complex double table[3] = {1.5, 2.5i, -1.0};

static void show(const char *what, double re, double im)
{
    printf("%s %.17g %.17g\n", what, re, im);
}
#define SHOW(z) \
    do { \
        _Complex double shown = (z); \
        show(#z, __real__ shown, __imag__ shown); \
    } while (0)

int identifier_\u0201_ = 1;

static int sorted(int x)
{
    int found = 0;
    switch (x) {
    case 0:
    case 13 ... 12:
        found += 1;
        break;
    case 50 ... 40:
    case 1 ... 7:
        found += 10;
    case (1 ? 30 : 2)... 20:
        found += 100;
    }
    return found;
}

static int calls;
static _Complex double next(_Complex double z)
{
    calls++;
    return z + calls;
}

int main(void)
{
    int __float80 = sizeof joined;
    printf("%d %s %s %d %d %d %d %d\n", __float80, joined, nested[0][0], braced[0], braced[1], braced[2], (int)sizeof braced,
           (int)(extended * 2));
    identifier_ȁ_ += identifier_\U00000201_;
    printf("%d %d %d %d %d %d\n", identifier_\u0201_, sorted(0), sorted(5), sorted(13), sorted(30), sorted(25));
    SHOW(first);
    SHOW(second);
    SHOW(around.z);
    SHOW(table[0]);
    SHOW(table[1]);
    SHOW(table[2]);
    printf("%d %d %d\n", around.before, around.after, (int)sizeof around);

    double d = -0.0, e = 3.0;
    _Complex double z = 1.25 - 0.5i, w = -0.0i;
    SHOW(z + e);
    SHOW(e - w);
    SHOW(e + w);
    SHOW(d * w);
    SHOW(z * e);
    SHOW(e * z);
    SHOW(z / e);
    SHOW(z * z);
    SHOW(z - z);
    SHOW(~z);
    SHOW(-z);
    SHOW((_Complex double)e);
    SHOW(next(next(z)) * 2i);
    z += 1;
    SHOW(z);
    z *= 2.0 + 1.0i;
    SHOW(z);
    z -= e;
    SHOW(z);
    __real__ z = 7;
    __imag__ z += 0.5;
    SHOW(z);
    printf("%d %d %d %d\n", z == 7 + 0.5 * 1.0i ? 1 : 0, z != z, !z, z && w);
    printf("%d %d\n", (int)z, (_Bool)(0.0 + 2.0i));
    if (w)
        puts("w");
    if (!w)
        puts("not w");

    _Complex signed char c = 0x3i - 2, conjugate = ~c;
    SHOW(conjugate);
    __real__ c = 100;
    c++;
    ++c;
    c += 1;
    SHOW(c);
    SHOW(c--);
    --c;
    SHOW(c);
    _Complex int p = 3 + 4i, q = p * p;
    SHOW(q);
    q = p;
    printf("%d %d %d %d\n", q == p, __real__ q, __imag__ q, __imag__ e == 0);
    _Complex float narrow = z;
    _Complex long double wide = narrow;
    SHOW(wide);
    _Complex double copies[2] = {z, 1i}, (*at)[2] = &copies;
    SHOW((*at)[0]);
    SHOW((*at)[1]);
    SHOW(e > 2 ? z : 1.0);
    SHOW(__builtin_complex(1.0, -0.0));
    return 0;
}
