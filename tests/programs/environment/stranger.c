// check: --external pure
// Where functions without a body do nothing but return, so do those that a pointer from outside leads to.
#include <assert.h>
extern int (*handler)(int);
extern int __VERIFIER_nondet_int(void);
static int state;
static int set(int value) { state = value; return 0; }

int main(void) { //~ TRUE
    int (*own)(int) = __VERIFIER_nondet_int() ? set : handler;
    state = 1;
    if (handler && handler(3) > 2)
        state = 2;
    assert(state == 1 || state == 2);
    if (own && own != set)
        own(7);
    assert(state != 7);
    return 0;
}
