// check: --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
struct s { int n; };
int main(void) {
    struct s *k = malloc(sizeof *k);
    char *p = malloc(10);
    char *q = p + k->n; //~ note: the run reads memory that was never initialised:
    if (*q == 5) reach_error(); //~ FALSE
    return 0;
}
