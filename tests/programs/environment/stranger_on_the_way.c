// check: --external pure --assume-separate
// A run goes on behind a call of a function of which nothing is known, with what that returns.
#include <assert.h>
struct operations {
    int (*ready)(int unit);
};
extern struct operations *operations;

int main(void) {
    if (operations->ready(1) == 7)
        assert(0); //~ FALSE
    return 0;
}
