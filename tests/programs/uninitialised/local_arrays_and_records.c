// check:
extern void reach_error(void);
struct s { int a; unsigned b : 3; unsigned c : 5; int d[2]; };
int main(void) {
    struct s x, *p = &x;
    struct { int u; int v; } y;
    int small[4], large[2000];
    small[0] = 1;
    if (small[0] + 1 == 2 && small[2] == 5 && p->c == 9 && p->b == 2 && p->d[1] == 4 && y.v == 6 //~ note: the run reads memory that was never initialised:
        && large[1500] == 8) reach_error(); //~ FALSE
    return 0;
}
