// check: --time-limit 20s
// engines: induction
// A lock protocol in a loop that never ends: the lock is held in the second half of each round, and only there.
extern int nondet(void);
#include <assert.h>
static int held;
static int requests;
static void acquire(void) {
    assert(!held);
    held = 1;
}
static void release(void) {
    assert(held);
    held = 0;
}
int main(void) { //~[induction] TRUE
    for (;;) {
        acquire();
        int seen = requests;
        if (nondet()) {
            release();
            requests++;
        }
        if (requests == seen)
            release();
    }
}
