// check:
// A function without a body may write what it is given.
extern void reach_error(void);
extern void fill(int *);
int main(void) {
    int x = 1;
    fill(&x);
    if (x != 1) reach_error(); //~ never TRUE
    return 0;
}
