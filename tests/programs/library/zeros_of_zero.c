// check:
// What is counted in 0 is not said; machines differ.
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    unsigned x = nondet();
    if (x == 0 && __builtin_clz(x) != 32) reach_error(); //~ never TRUE
    return 0;
}
