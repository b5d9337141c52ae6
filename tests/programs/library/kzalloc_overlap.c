// check:
extern void reach_error(void);
extern void *kzalloc(__SIZE_TYPE__, unsigned);
int main(void) {
    struct s { int v; struct s *n; } *a = kzalloc(sizeof *a, 0), *b = kzalloc(sizeof *b, 0);
    if (!a || !b) return 0;
    a->v = 1;
    b->v = 2;
    a->n = b;
    if (a->v != 1) reach_error(); //~ never FALSE
    return 0;
}
