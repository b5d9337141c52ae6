// check: --check overflow
extern int nondet(void);
int main(void) {
    int x = nondet();
    if (x == 0)
        return 0;
    (void)(x + 1); //~ FALSE no-overflow: signed overflow: `x + 1` does not fit `int`
    return 0;
}
