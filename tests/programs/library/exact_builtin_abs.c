// check:
extern void reach_error(void);
int main(void) {
    int x = __builtin_abs(-3);
    if (x != 3) reach_error(); //~ never FALSE
    return 0;
}
