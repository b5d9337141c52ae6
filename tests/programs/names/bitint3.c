// check:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned _BitInt(5) a[2];
    int i = __VERIFIER_nondet_int();
    if (i != 1) return 0;
    a[0] = 3;
    a[i] = (unsigned _BitInt(5)) (i + 40);
    if (a[1] == 9 && a[0] == 3) reach_error(); //~ FALSE
    return 0;
}
