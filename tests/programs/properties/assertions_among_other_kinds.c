// check: --check assertions,division
// warning is given for the assertions that are not there, and the rest is checked.
extern int nondet(void);
int main(void) {
    int x = nondet();
    return 10 / x; //~ FALSE no-division-by-zero
}
