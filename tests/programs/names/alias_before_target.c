// check:
extern void reach_error(void);
int f(void) __attribute__((alias("g")));
int g(void) { return 5; }
int main(void) { if (f() == 5) reach_error(); //~ never TRUE
    return 0; }
