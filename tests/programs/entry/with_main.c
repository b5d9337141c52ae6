// check: --entry half
// The program's own main is not what is checked.
#include <assert.h>
static int half(int x) {
    assert(x != -2147483647 - 1); //~ FALSE
    return x / 2;
}
int main(void) { return half(4); }
