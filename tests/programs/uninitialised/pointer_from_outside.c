// check:
extern void reach_error(void);
struct n { struct n *next; int v; };
extern struct n *get(void);
int main(void) {
    struct n *p = get();
    if (p && p->next && p->next->next == p && p->v == 1 && p->next->v == 2) reach_error(); //~ FALSE //~ note: the run reads memory that was never initialised:
    return 0;
}
