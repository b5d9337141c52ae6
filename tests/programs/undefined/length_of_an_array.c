// check: --check bounds
extern int nondet(void);
int main(void) {
    int n = nondet();
    if (n > 3)
        return 0;
    int a[n + 1][2]; //~ FALSE no-index-out-of-bounds: the length
    return sizeof a > 1;
}
