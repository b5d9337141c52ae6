extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3) {
        assert(x > 2);
        x = assert(x > 1) + 5;
    }
    return 0;
}
