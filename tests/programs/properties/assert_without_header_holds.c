// check:
extern int __VERIFIER_nondet_int(void);
int main(void) { //~ TRUE
    int x = __VERIFIER_nondet_int();
    if (x > 3) {
        assert(x > 2); //~ warning: `assert` is called without `<assert.h>`: it is taken for the assertion of the C library
        x = assert(x > 1) + 5;
    }
    return 0;
}
