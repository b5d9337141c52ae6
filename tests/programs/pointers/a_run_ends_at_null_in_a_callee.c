// check ends: -DCONDITION=p==0
// check goes_on: -DCONDITION=p!=0
// What only undefined behaviour leads to is no error.
extern void reach_error(void);
extern int nondet(void);
struct s { int a; };
static int get(struct s *s) { return s->a; }
int main(void) {
    struct s x = {1}, *p = nondet() ? &x : 0;
    get(p);
    if (CONDITION) reach_error(); //~[ends] TRUE //~[goes_on] FALSE
    return 0;
}
