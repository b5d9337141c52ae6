// check:
extern void reach_error(void);
int a, b;
// The one may lie just behind the other, or not.
int main(void) { //~ never TRUE //~ never FALSE //~ UNKNOWN depend on where objects lie
    if (&a + 1 == &b)
        reach_error();
    return 0;
}
