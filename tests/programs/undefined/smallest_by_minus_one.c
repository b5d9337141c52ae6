// check: --check overflow
extern int nondet(void);
int main(void) {
    int a = nondet(), b = nondet();
    if (b == 0)
        return 1;
    return a % b; //~ FALSE no-overflow: signed overflow: `a % b` does not fit `int`
}
