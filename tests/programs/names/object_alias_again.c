// check:
extern void reach_error(void);
int value = 1;
extern int other __attribute__((alias("value")));
int main(void) {
    other = 2;
    if (value == 2) reach_error(); //~ FALSE
    return 0;
}
