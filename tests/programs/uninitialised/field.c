// check:
#include <stdlib.h>
extern void reach_error(void);
struct s { int a; int state; };
int main(void) {
    struct s *p = malloc(sizeof *p);
    p->a = 1;
    if (p->state == 8464 && p->a == 1) reach_error(); //~ FALSE //~ note: the run reads memory that was never initialised:
    return 0;
}
