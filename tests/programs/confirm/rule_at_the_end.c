// check: --rule memory-leak --confirm
// Two blocks are followed at once; the program ends in the middle.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void *keep;
int main(void) {
    void *p = malloc(10);
    keep = malloc(20);
    free(p);
    if (__VERIFIER_nondet_int() == 3 && keep)
        exit(0); //~ FALSE memory-leak //~ note: confirmed by running the compiled program
    free(keep);
    return 0;
}
