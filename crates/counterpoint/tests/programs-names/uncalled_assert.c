#include <assert.h>
static void helper(int x) {
    assert(x == 2);
}
int main(void) {
    assert(1 + 1 == 2);
    return 0;
}
