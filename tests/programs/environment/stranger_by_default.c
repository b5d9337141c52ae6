// check:
// What a pointer from outside leads to may do anything.
#include <assert.h>
extern int (*handler)(int);
int state;

int main(void) { //~ never TRUE
    state = 1;
    if (handler)
        handler(3);
    assert(state == 1);
    return 0;
}
