#include <assert.h>
int main(void) {
    int x = 1;
    return 0;
    assert(x == 2);
}
