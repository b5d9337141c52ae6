// check:
#include <stdlib.h>
extern void reach_error(void);
struct t { int k; int v; };
struct s { int a; struct t *t; struct t *u; };
int main(void) {
    struct s *p = malloc(sizeof *p);
    p->t->k = 3; p->u->k = 4; //~ note: the run reads memory that was never initialised:
    if (p->t->v == 77 && p->t->k == 3 && p->u->v == 78 && p->u->k == 4) reach_error(); //~ FALSE
    return 0;
}
