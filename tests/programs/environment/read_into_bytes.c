// check: --entry f --arguments any
#include <stdio.h>
extern void reach_error(void);
int f(int *p, char *q, FILE *h) { *p = 1; fread(q, 1, 4, h); if (*p == 0) reach_error(); //~ never TRUE
    return 0; }
