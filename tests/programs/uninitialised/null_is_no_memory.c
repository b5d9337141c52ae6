// check:
#include <stdlib.h>
extern void reach_error(void);
struct s { int a; int *t; };
int main(void) {
    struct s *p = malloc(sizeof *p);
    if (p->t == 0 && *p->t == 3) reach_error(); //~ TRUE
    return 0;
}
