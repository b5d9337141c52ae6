// check:
extern void reach_error(void);
extern int *pick(int *);
int main(void) {
    int x = 0;
    int *p = pick(&x);
    if (p == &x) *p = 5;
    if (x) reach_error(); //~ never TRUE
    return 0;
}
