// check:
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { reach_error(); //~ never TRUE
    return 0; }
int main(void) { int a[2] = {1, 2}, k = 1; bsearch(&k, a, 2, sizeof *a, compare); return 0; }
