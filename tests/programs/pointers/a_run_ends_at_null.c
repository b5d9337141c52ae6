// check:
extern void reach_error(void);
extern int nondet(void);
int main(void) {
    int x = 1, *p = nondet() ? &x : 0;
    *p = 2; //~ note: note: a run ends at a null pointer, a division by zero or one that overflows; the proof relies on that at
    if (!p) reach_error(); //~ TRUE
    return 0;
}
