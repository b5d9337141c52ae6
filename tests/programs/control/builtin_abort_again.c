// check:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { //~ TRUE
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        __builtin_abort();
    if (x < 0)
        reach_error();
    return 0;
}
