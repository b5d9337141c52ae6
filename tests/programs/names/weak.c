// check:
extern void reach_error(void);
__attribute__((weak)) int f(void) { return 1; }
int main(void) { if (f() == 1) reach_error(); //~ never TRUE
    return 0; }
