// check zero: -DRELATION=!=
// check reached: -DRELATION===
#include <stdlib.h>
extern void reach_error(void);
struct s { int a; struct s *next; };
void *zeroed(unsigned size) { return calloc(1, size); }
int main(void) {
    struct s *s = zeroed(sizeof *s);
    if (s->next RELATION 0) reach_error(); //~[zero] TRUE //~[reached] FALSE
    return 0;
}
