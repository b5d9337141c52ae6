// check:
extern int __VERIFIER_nondet_int(void);
extern void assert(int condition);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 10)
        assert(x != 7); //~ warning: `assert` is called without `<assert.h>`: it is taken for the assertion of the C library //~ FALSE: assertion `x != 7`
    return 0;
}
