// check:
extern void reach_error(void);
int main(void) { //~ TRUE
    __builtin_exit(1);
    reach_error();
    return 0;
}
