// check: --time-limit 20s
// engines: induction
// Counting by two passes an odd n.
extern int nondet(void);
#include <assert.h>
int main(void) { //~ never TRUE
    int n = nondet();
    if (n < 0 || n > 1000000)
        return 0;
    int i = 0;
    while (i < n)
        i += 2;
    assert(i == n);
    return 0;
}
