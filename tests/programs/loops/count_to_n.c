// check: --time-limit 20s
// engines: induction
// Counting up to n ends at n, however large it is.
extern int nondet(void);
#include <assert.h>
int main(void) { //~[induction] TRUE
    int n = nondet();
    if (n < 0)
        return 0;
    int i = 0;
    while (i < n)
        i++;
    assert(i == n);
    return 0;
}
