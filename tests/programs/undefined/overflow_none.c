// check: --check overflow,division,shift
extern int nondet(void);
int main(void) { //~ TRUE
    int a = nondet(), b = nondet();
    if (a > 1000 || a < -1000 || b < 1 || b > 10)
        return 0;
    int c = a * 3 - 7;
    unsigned u = (unsigned)a << b;
    return c + (u > 5);
}
