// check:
// Which element is meant is an input; that all are null is what makes the program safe.
#include <assert.h>
static int *drivers[3];
static int held;
extern int nondet(void);

static int open_unit(int unit) {
    if (unit < 0 || unit > 2)
        return -1;
    if (drivers[unit] == 0)
        return -1;
    held = 1;
    return 0;
}

int main(void) { //~ TRUE
    while (nondet()) {
        open_unit(nondet());
        assert(held == 0);
    }
    return 0;
}
