// check: --error-function fail --confirm
// A failed assertion ends the program, and is no error here.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void fail(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x > 3);
    if (x < 5)
        fail(); //~ FALSE: call of `fail` //~ note: confirmed by running the compiled program
    return 0;
}
