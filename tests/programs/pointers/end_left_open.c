// check:
// check ASKS: -DASKS
// Whether the end of one array is the start of the other is left to chance: what holds either way is proved.
#include <assert.h>
static int a[4], b[4];
extern int nondet(void);

int main(void) { //~ TRUE
    int *end = a + 4; //~^[ASKS] never TRUE
    int seen = 0, rounds = 0; //~^^[ASKS] never FALSE
    while (nondet()) {
        if (end == b)
            seen = 1;
        rounds = 1;
    }
#ifdef ASKS
    assert(!seen); //~[ASKS] UNKNOWN the answer may depend on where objects lie in memory
#else
    assert(rounds == 0 || rounds == 1);
#endif
    return 0;
}
