// check: --check shift
extern int nondet(void);
int main(void) {
    int n = nondet();
    unsigned mask = 0;
    if (n >= 0 && n <= 32)
        mask = 1u << n; //~ FALSE no-undefined-shift: the amount of the shift `1U << n` is not in 0 to 31
    return mask != 0;
}
