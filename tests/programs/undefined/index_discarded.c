// check: --check bounds
extern int nondet(void);
int main(void) {
    char digits[10] = "012345678";
    int i = nondet();
    if (i < 0 || i > 10)
        return 0;
    digits[i]; //~ FALSE no-index-out-of-bounds: index `i` is outside of `digits`, which has 10 elements
    return 0;
}
