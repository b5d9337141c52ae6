// check:
extern void reach_error(void);
int main(void) { __builtin_abort(); reach_error(); //~ TRUE
    return 0; }
