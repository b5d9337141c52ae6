// check:
#include <search.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { reach_error(); //~ never TRUE
    return 0; }
int main(void) { int a[1] = {1}, k = 1; size_t n = 1; lfind(&k, a, &n, sizeof *a, compare); return 0; }
