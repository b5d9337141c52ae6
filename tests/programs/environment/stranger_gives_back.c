// check: --external pure
// check DIRECT: --external pure -DDIRECT
// A function that left the program may come back from outside.
#include <assert.h>
typedef int (*function)(int);
extern function kept;
#ifdef DIRECT
extern function pick(void);
#else
extern function (*pick)(void);
#endif
static int state;
static int set(int value) { state = value; return 0; }

int main(void) { //~ never TRUE
    kept = set;
    function given = pick();
    if (given)
        given(7);
    assert(state != 7);
    return 0;
}
