// check: --external pure --assume-separate
// A pointer that is read from memory which is also read byte by byte leads to memory of its own, too.
#include <assert.h>
struct inner { int state; };
struct outer { long id; struct inner *inner; };
extern struct outer *find(void);
extern int nondet(void);

int main(void) {
    struct outer *outer = find();
    char *bytes = (char *)outer;
    if (!outer || bytes[0] == 3)
        return 0;
    if (outer->inner && outer->inner->state == 9)
        assert(0); //~ FALSE
    return 0;
}
