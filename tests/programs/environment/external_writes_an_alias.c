// check bytes: --entry f --arguments any
// check member: --entry g --arguments any
// What a function without a body writes behind one pointer from outside may be what another leads to.
extern void reach_error(void);
extern void fill(char *);
struct s { int a; };
extern void set(struct s *);
int f(int *p, char *q) {
    *p = 1;
    fill(q);
    if (*p != 1) reach_error(); //~[bytes] never TRUE
    return 0;
}
int g(int *p, struct s *q) {
    *p = 1;
    set(q);
    if (*p != 1) reach_error(); //~[member] never TRUE
    return 0;
}
