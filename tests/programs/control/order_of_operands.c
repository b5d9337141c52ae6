// check arguments: -DARGUMENTS
// check operator: -DOPERATOR
// check value: -DVALUE
// check end: -DEND
// check index: -DINDEX
// check compound: -DCOMPOUND
// check list: -DLIST
// engines: bounded slam
// C does not say which operand is evaluated first; gcc begins with the last argument. What one writes and another looks at has no value
// that all compilers agree about.
#include <stdlib.h>
extern void reach_error(void);
static int count;
static int next(void) { return ++count; }
static int both(int one, int other) { return 10 * one + other; }
static int stop(void) { exit(0); }
static int fail(void) {
    reach_error();
    return 1;
}
struct pair { int a, b; };
int main(void) {
#ifdef ARGUMENTS
    if (both(next(), next()) != 12) reach_error(); //~[arguments] UNKNOWN the order in which operands are evaluated //~[arguments] never TRUE //~[arguments] never FALSE
#elif defined OPERATOR
    if (next() - next() != -1) reach_error(); //~[operator] UNKNOWN the order in which operands are evaluated //~[operator] never TRUE //~[operator] never FALSE
#elif defined VALUE
    if (both(count, next()) != 1) reach_error(); //~[value] UNKNOWN the order in which operands are evaluated //~[value] never TRUE //~[value] never FALSE
#elif defined END
    return stop() + fail(); //~[end] never TRUE //~[end] UNKNOWN the order in which operands are evaluated //~[end] never FALSE
#elif defined INDEX
    int a[3] = {0, 0, 0};
    a[next()] = next(); //~[index] UNKNOWN the order in which operands are evaluated //~[index] never TRUE //~[index] never FALSE
    if (a[1] != 2) reach_error();
#elif defined COMPOUND
    count += next(); //~[compound] UNKNOWN the order in which operands are evaluated //~[compound] never TRUE //~[compound] never FALSE
    if (count != 1) reach_error();
#elif defined LIST
    struct pair p = {next(), next()}; //~[list] UNKNOWN the order in which operands are evaluated //~[list] never TRUE //~[list] never FALSE
    if (p.a != 1) reach_error();
#endif
    return 0;
}
