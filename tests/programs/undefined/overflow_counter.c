// check: --check overflow
extern int nondet(void);
int main(void) {
    int n = 2147483640;
    while (nondet())
        n++; //~ FALSE no-overflow: signed overflow: `n + 1` does not fit `int`
    return 0;
}
