// check:
#include <assert.h>
int main(void) { //~ TRUE
    int x = 1;
    return 0;
    assert(x == 2); //~ note: assertion `x == 2`
}
