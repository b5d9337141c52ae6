// check: --time-limit 20s
// engines: induction
// What holds after every round follows only from the round before the last: the property is 2-inductive, not inductive.
extern int nondet(void);
#include <assert.h>
int main(void) { //~[induction] TRUE
    int now = 1, next = 1, after = 1;
    while (nondet()) {
        assert(now > 0);
        now = next;
        next = after;
        if (after > 1000 || after < 1)
            after = 1;
        else
            after = after * 2;
    }
    return 0;
}
