// check:
extern void reach_error(void);
extern int maybe(void) __attribute__((weak));
int main(void) {
    if (!maybe) reach_error(); //~ UNKNOWN the address of `maybe`, which is weak and defined nowhere //~ never TRUE
    return 0;
}
