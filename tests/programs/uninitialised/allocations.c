// check:
// Each allocation has contents of its own.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int *p = malloc(sizeof *p);
        sum = 10 * sum + (*p == i + 5); //~ note: the run reads memory that was never initialised:
        if (*p != i + 5) return 0;
    }
    if (sum == 111) reach_error(); //~ FALSE
    return 0;
}
