// check:
extern void reach_error(void);
extern int nondet(void);
int main(void) { int x = nondet(); __CPROVER_assume(x == 2); if (x != 2) reach_error(); //~ TRUE
    return 0; }
