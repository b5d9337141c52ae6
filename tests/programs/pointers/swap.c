// check swapped:
// check broken: -DSAME
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x;
#ifndef SAME
    y = y - 1;
#endif
    swap(&x, &y);
    if (x == y) reach_error(); //~[swapped] never FALSE //~[broken] FALSE
    return 0;
}
