// check:
#include <assert.h>
static void helper(int x) {
    assert(x == 2); //~ note: assertion `x == 2`
}
int main(void) { //~ TRUE
    assert(1 + 1 == 2);
    return 0;
}
