// check arguments: -DARGUMENTS
// check operator: -DOPERATOR
// check index: -DINDEX
// check compound: -DCOMPOUND
// check member: -DMEMBER
// engines: bounded
// An operand that changes a variable which another uses is undefined; compilers differ in what they make of it.
extern void reach_error(void);
static int both(int one, int other) { return 10 * one + other; }
int main(void) {
    int i = 1, a[4] = {0};
    struct { int n, m; } s = {1, 1};
#ifdef ARGUMENTS
    if (both(i++, i) != 12) reach_error(); //~[arguments] UNKNOWN changes `i` and uses it in no order //~[arguments] never TRUE //~[arguments] never FALSE
#elif defined OPERATOR
    if (i++ - i != -1) reach_error(); //~[operator] UNKNOWN changes `i` and uses it in no order //~[operator] never TRUE //~[operator] never FALSE
#elif defined INDEX
    a[i] = i++; //~[index] UNKNOWN changes `i` and uses it in no order //~[index] never TRUE //~[index] never FALSE
    if (a[1] != 1) reach_error();
#elif defined COMPOUND
    i += i++; //~[compound] UNKNOWN changes `i` and uses it in no order //~[compound] never TRUE //~[compound] never FALSE
    if (i != 3) reach_error();
#elif defined MEMBER
    if (s.n++ + s.n != 3) reach_error(); //~[member] UNKNOWN changes `s.n` and uses it in no order //~[member] never TRUE //~[member] never FALSE
#endif
    return a[0];
}
