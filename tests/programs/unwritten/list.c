// check: --check uninitialised --external pure
// engines: induction
#include <stdlib.h>
struct n { struct n *next; int v; };
extern int in(void);
int main(void) { //~ TRUE
    struct n *h = 0;
    while (in()) {
        struct n *p = malloc(sizeof *p);
        if (!p) return 0;
        p->v = in();
        p->next = h;
        h = p;
    }
    int s = 0;
    while (h) {
        s ^= h->v;
        h = h->next;
    }
    return s;
}
