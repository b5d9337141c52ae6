// check: --check uninitialised
struct s { char c; int v, w; };
static void set(struct s *p) { p->v = 3; }
int main(void) {
    struct s s;
    set(&s);
    return s.v + s.w; //~ FALSE no-uninitialised-read: `s.w`
}
