// check: --external pure
// An object of the program is no function of which nothing is known: no run goes on behind such a call.
#include <assert.h>
static int x;

int main(void) { //~ never FALSE
    void (*f)(void) = (void (*)(void))&x;
    f(); //~ UNKNOWN points to no function
    assert(0);
    return 0;
}
