// check: --external pure
// A function of the program that is called with too few arguments is none of which nothing is known.
#include <assert.h>
static int state;
static int set(int value) { state = 7; return value; }

int main(void) { //~ never TRUE
    int (*f)() = (int (*)())set;
    f();
    assert(state != 7);
    return 0;
}
