char joined[] = "a"
#pragma whatnot
    "b";
char nested[1][1][5] = {"1234"};
int braced[] = {{1}, {{{2}}}, 3};
__float80 extended = 1.5L;
int identifier_\u0201_;
_Complex float first = 1 + 2i;
struct
{
    int before;
    _Complex int z;
} around = {1, 3i - 2};
static _Complex double next(_Complex double z) { return ~z * z + 1.0; }
int main(void)
{
    _Complex double z = 1.25 - 0.5i, w = next(z);
    int x = 3;
    asm goto("" : "+r"(x) : : : bad);
    switch (x) {
    case 13 ... 12:
        z += 2i;
    case 1 ... 7:
        __real__ z = 7;
    }
    z++;
    if (z && !w)
        return z == w;
    return __imag__ z ? (int)(z / 2.0) : joined[0] + nested[0][0][0] + braced[1] + (int)extended;
bad:
    return (_Bool)around.z;
}
