// check: --check overflow
extern int nondet(void);
int main(void) {
    int a = nondet(), b = nondet();
    if (a > 1000 || a < -1000)
        return 0;
    int c = a * 2 + 7;
    return c + b; //~ FALSE no-overflow: signed overflow: `c + b` does not fit `int`
}
