// check:
// What holds because nobody asks is said.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { //~ TRUE
    int x = __VERIFIER_nondet_int(), odd = x & 1;
    if (odd > 3)
        assert(x > 0 || //~ note: assertion `x > 0 || x < -5`: no run comes there
               x < -5);
    if (odd < 3)
        assert(x != 0 || odd == 0);
    return 0;
}
