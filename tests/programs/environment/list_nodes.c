// check: --entry f --arguments any
extern void reach_error(void);
struct n { struct n *next; int v; };
int f(struct n *a, struct n *b) { if (!a || !b) return 0; a->v = 1; b->v = 2; if (a->v == 2) reach_error(); //~ never TRUE
    return 0; }
