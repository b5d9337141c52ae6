// check:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { //~ TRUE
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (b == 0) return 0;
    int c = a / b; //~ note: a run ends at a null pointer, a division by zero or one that overflows
    if (a == -2147483647 - 1 && b == -1) reach_error();
    return 0;
}
