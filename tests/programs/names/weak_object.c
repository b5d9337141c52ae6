// check:
extern void reach_error(void);
extern int maybe __attribute__((weak));
int main(void) {
    if (&maybe == 0) reach_error(); //~ UNKNOWN the address of `maybe`, which is weak and defined nowhere //~ never TRUE
    return 0;
}
