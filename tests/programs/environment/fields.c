// check: --entry f --arguments any
extern void reach_error(void);
struct s { int *p; int *q; };
int f(struct s *s) { *s->p = 1; *s->q = 2; if (*s->p == 2) reach_error(); //~ never TRUE
    return 0; }
