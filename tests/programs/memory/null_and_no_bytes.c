// check: --check pointers --external pure
// Nothing is accessed where the length is zero: the run goes on.
#include <string.h>
extern int in(void);
int main(void) {
    int *none = 0, n = in();
    memset(none, 0, 0 * sizeof(int));
    if (n != 0) return 0;
    memset(none, 0, n);
    *none = 1; //~ FALSE valid-deref
    return 0;
}
