// check:
extern void reach_error(void);
static int f(void) __attribute__((weakref("g")));
int g(void) { return 5; }
int main(void) { if (f() == 5) reach_error(); //~ never TRUE
    return 0; }
