// check: --time-limit 20s
// engines: induction
// Two counters are kept equal over a loop that need not end: no number of rounds is enough to try.
extern int nondet(void);
#include <assert.h>
int main(void) { //~[induction] TRUE
    unsigned sent = 0, received = 0;
    while (nondet()) {
        sent += 3;
        received += 3;
    }
    assert(sent == received);
    return 0;
}
