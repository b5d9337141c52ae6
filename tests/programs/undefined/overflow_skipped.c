// check: --check overflow
extern int nondet(void);
int main(void) { //~ TRUE
    int x = nondet();
    int fits = x < 1000 && x > -1000 && x * 100 < 5000;
    return fits ? x * 100 : x > 0 ? x - 1 : x / 2;
}
