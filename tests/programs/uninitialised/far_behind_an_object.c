// check: --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
struct s { unsigned n; };
int main(void) {
    struct s *k = malloc(sizeof *k);
    char *p = malloc(10), *q = p + k->n;
    if (k->n > 1000000 && *q == 5) reach_error(); //~ UNKNOWN where there is no object //~ never FALSE
    return 0;
}
