// check: --external pure
// As another member of a union a function may be called in another way.
#include <assert.h>
static int hit;
static void one(int value) { hit = value; }
union functions {
    void (*one)(int);
    void (*none)(void);
};

int main(void) { //~ never TRUE
    union functions both;
    both.one = one;
    both.none(); //~ UNKNOWN a call through a pointer that may lead to a function that is not known
    assert(hit == 0);
    return 0;
}
