extern int __VERIFIER_nondet_int(void);
extern void assert(int condition);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 10)
        assert(x != 7);
    return 0;
}
