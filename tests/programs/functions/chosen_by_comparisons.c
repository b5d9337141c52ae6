// check:
// What a function returns is chosen by comparisons of what it was given, and compared with that by the caller.
#include <assert.h>
extern int nondet(void);
static int max(int a, int b) { return a > b ? a : b; }
static int clamp(int v, int low, int high) {
    if (v < low)
        return low;
    if (v > high)
        return high;
    return v;
}
int main(void) { //~ TRUE
    int x = nondet(), y = nondet(), z = nondet();
    int m = max(max(x, y), z);
    assert(m >= x && m >= y && m >= z);
    int low = nondet(), high = nondet();
    if (low <= high) {
        int c = clamp(x, low, high);
        assert(low <= c && c <= high);
    }
    return 0;
}
