// check: --check bounds
extern int nondet(void);
int squares[8];
int main(void) {
    int n = nondet();
    for (int i = 0; i <= n; i++)
        squares[i] = i * i; //~ FALSE no-index-out-of-bounds: index `i` is outside of `squares`, which has 8 elements
    return 0;
}
