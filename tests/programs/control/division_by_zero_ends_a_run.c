// check:
extern void reach_error(void);
extern int nondet(void);
int main(void) {
    int d = nondet(), q = 100 / d; //~ note: the proof relies on that at
    if (d == 0 || q > 100) reach_error(); //~ TRUE
    return 0;
}
