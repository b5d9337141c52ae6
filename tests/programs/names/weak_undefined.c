// check:
extern void reach_error(void);
extern int f(void) __attribute__((weak));
int main(void) { if (!f) reach_error(); //~ never TRUE
    return 0; }
