// check: --entry f --arguments any
extern void reach_error(void);
struct n { struct n *next; int v; };
int f(struct n *a) { if (!a || !a->next) return 0; a->v = 1; a->next->v = 2; if (a->v == 2) reach_error(); //~ never TRUE
    return 0; }
