// check:
// check ASKS: -DASKS
// Which bits an address has is left open, in a condition of `?:` as well: what holds either way is proved.
#include <assert.h>
static char c[3];
extern int nondet(void);

int main(void) { //~ TRUE
    int bit = 0, rounds = 0; //~^[ASKS] never TRUE
    while (nondet()) { //~^^[ASKS] never FALSE
        bit = (unsigned long)c & 4 ? 1 : 0;
        rounds = 1;
    }
#ifdef ASKS
    assert(!bit); //~[ASKS] UNKNOWN the answer may depend on where objects lie in memory
#else
    assert(rounds == 0 || rounds == 1);
#endif
    return 0;
}
