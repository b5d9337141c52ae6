// check: --time-limit 20s
// engines: induction
// The inner loop moves what the outer loop counts: a linear relation holds at both heads.
extern int nondet(void);
#include <assert.h>
int main(void) { //~[induction] TRUE
    unsigned rows = 0, cells = 0, spare = 0;
    while (nondet()) {
        unsigned k = 4;
        while (k > 0) {
            k--;
            cells++;
            if (nondet())
                spare += 2;
        }
        rows++;
    }
    assert(cells == 4 * rows);
    assert(spare % 2 == 0);
    return 0;
}
