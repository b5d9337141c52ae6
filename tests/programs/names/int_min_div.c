// check:
// Undefined; gcc's program ends with SIGFPE.
extern void reach_error(void);
extern int nondet(void);
int main(void) { int x = nondet(), y = nondet(); if (x != -2147483647 - 1 || y != -1) return 0; int z = x / y; reach_error(); //~ never FALSE
    return z; }
