// check:
extern void reach_error(void);
static int value[3] = { 1, 2, 3 };
extern int other[] __attribute__((alias("value")));
int main(void) {
    other[1] = 7;
    if (value[1] == 7) reach_error(); //~ FALSE
    return 0;
}
