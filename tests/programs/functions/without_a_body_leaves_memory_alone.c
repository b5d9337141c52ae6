// check:
extern void reach_error(void);
extern int nondet(void);
static int zero(void) { return 0; }
int main(void) {
    int (*f)(void) = nondet() ? nondet : zero;
    int y = 3, *p = &y;
    f();
    if (*p != 3) reach_error(); //~ TRUE
    return 0;
}
