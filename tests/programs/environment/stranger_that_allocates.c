// check: --external pure --assume-separate
// What a function of which nothing is known returns is memory of its own, and the run goes on with it.
#include <assert.h>
struct operations {
    void *(*allocate)(unsigned long size);
};
extern struct operations *operations;
static int users;

int main(void) { //~ TRUE
    int *memory = operations->allocate(4);
    if (!memory)
        return 0;
    users = 1;
    *memory = 5;
    assert(users == 1 && *memory == 5);
    return 0;
}
