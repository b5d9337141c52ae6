// check:
// A function without a body is an input, through a pointer too.
extern void reach_error(void);
extern int nondet(void);
static int zero(void) { return 0; }
int main(void) {
    int (*f)(void) = nondet() ? nondet : zero;
    int x = f();
    if (x == 7) reach_error(); //~ FALSE
    return 0;
}
