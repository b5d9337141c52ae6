// check: --time-limit 20s
// engines: induction
// As two_counters.c, but one round counts only one of them.
extern int nondet(void);
#include <assert.h>
int main(void) { //~ never TRUE
    unsigned sent = 0, received = 0;
    while (nondet()) {
        sent += 3;
        if (sent != 3000000)
            received += 3;
    }
    assert(sent == received);
    return 0;
}
