// check:
extern void reach_error(void);
extern int *pick(int *);
int main(void) {
    int x = 1;
    int *p = pick(&x);
    if (p == &x) reach_error(); //~ never TRUE
    return 0;
}
