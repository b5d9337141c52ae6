// check: --entry f --arguments any
// The bytes that a library function writes may be those of any object that pointers from outside lead to.
#include <string.h>
extern void reach_error(void);
int f(int *p, char *q) { *p = 1; memset(q, 0, 4); if (*p == 0) reach_error(); //~ never TRUE
    return 0; }
