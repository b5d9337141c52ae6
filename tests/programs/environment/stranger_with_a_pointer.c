// check: --external pure
// Nobody knows where a pointer leads that a function returns of which nothing is known.
#include <assert.h>
extern int *(*find)(void);
static int state;

int main(void) { //~ never TRUE
    int *found = &state;
    if (find)
        found = find();
    state = 1;
    if (found == &state)
        return 0;
    *found = 5;
    assert(state == 1 && *found != 5);
    return 0;
}
