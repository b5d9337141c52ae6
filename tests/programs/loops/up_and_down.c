// check: --time-limit 20s
// engines: induction
// The loop counts up to the middle and down from it: each phase has a relation of its own.
#include <assert.h>
int main(void) { //~[induction] TRUE
    int x = 0, y = 0;
    for (;;) {
        if (x < 50)
            y++;
        else
            y--;
        if (y < 0)
            break;
        x++;
    }
    assert(x == 100);
    return 0;
}
