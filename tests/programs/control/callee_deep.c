// check:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct s { int kept; int written; } v = {5, 0};
static void set(struct s *p, int x) { p->written = x; }
static void twice(struct s *p) { set(p, 1); set(p, 2); }
int a[3] = {5, 0, 1};
static void store(int i) { if (i == 1 || i == 2) a[2] = i; }
int main(void) { //~ TRUE
    twice(&v);
    store(__VERIFIER_nondet_int());
    if (v.kept != 5 || a[0] != 5)
        reach_error();
    return 0;
}
