// check:
// With the default of --external, what is const is not written.
extern void reach_error(void);
extern void look(const int *);
int main(void) {
    int x = 1;
    look(&x);
    if (x != 1) reach_error(); //~ never FALSE
    return 0;
}
