// check: --check overflow,assertions
#include <assert.h>
extern int nondet(void);
int main(void) {
    int n = nondet();
    if (n < 0 || n > 100)
        return 0;
    int twice = n * 2;
    assert(twice < 200); //~ FALSE
    return 0;
}
