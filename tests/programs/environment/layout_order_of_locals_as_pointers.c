// check:
// Comparing them is undefined; compilers give either answer.
extern void reach_error(void);
int main(void) {
    int a, b;
    int *p = &a, *q = &b;
    if (p < q) reach_error(); //~ never TRUE //~ never FALSE //~ UNKNOWN the answer may depend on where objects lie in memory
    return 0;
}
