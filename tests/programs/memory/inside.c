// check: --check pointers,free,leaks,cleanup
// engines: bounded
#include <stdlib.h>
#include <string.h>
struct pair { int left; int right[2]; };
extern int nondet(void);
static void set(int *to, int value) { *to = value; }
int main(void) { //~ TRUE
    struct pair *pair = malloc(sizeof *pair);
    if (!pair)
        return 0;
    set(&pair->left, 1);
    set(&pair->right[nondet() != 0], 2);
    int *end = pair->right + 2;
    end[-1] = 3;
    struct pair copy;
    memcpy(&copy, pair, sizeof copy);
    int *at = &copy.left;
    free(pair);
    return *at;
}
