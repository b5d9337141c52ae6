// check: --check bounds
extern int nondet(void);
int main(void) { //~ TRUE
    int n = nondet();
    if (n < 1 || n > 3)
        return 0;
    int a[n], b[n][2 * n];
    return sizeof a + sizeof b > 1;
}
