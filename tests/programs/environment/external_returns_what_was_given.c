// check variable:
// check list: -DLIST
// check unused: -DUNUSED
#include <stdlib.h>
extern void reach_error(void);
struct node { struct node *next; };
extern void give(void *p);
extern void *somewhere(void);
int main(void) {
#if defined LIST
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 0;
    a->next = b;
    b->next = 0;
    give(a);
    if (somewhere() == b)
        reach_error(); //~[list] FALSE
#elif defined UNUSED
    int x = 0;
    int *p = somewhere();
    if (p == &x || p == 0)
        reach_error(); //~[unused] FALSE
#else
    int x = 0;
    give(&x);
    if (somewhere() == &x)
        reach_error(); //~[variable] FALSE
#endif
    return 0;
}
