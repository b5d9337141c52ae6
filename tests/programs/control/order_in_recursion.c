// check:
// engines: bounded
// A variable of a recursive function lies in memory of its own in each activation; an operand that reads it is in no order with a call that
// writes it all the same.
extern void reach_error(void);
static int bump(int *p) { return ++*p; }
static int both(int one, int other) { return 10 * one + other; }
static int deep(int n) {
    int x = 0;
    if (n > 0) deep(n - 1);
    return both(bump(&x), x); //~ UNKNOWN the order in which operands are evaluated //~ never TRUE //~ never FALSE
}
int main(void) {
    if (deep(1) != 11) reach_error();
    return 0;
}
