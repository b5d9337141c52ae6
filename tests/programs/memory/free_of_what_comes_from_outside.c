// check: --check free
// engines: bounded
#include <stdlib.h>
extern int *make(void);
int main(void) {
    int *made = make();
    free(made); //~ never FALSE //~ never TRUE
    return 0;
}
