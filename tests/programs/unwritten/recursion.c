// check: --check uninitialised
// engines: bounded
// A variable has one address here, whichever activation it belongs to.
static int f(int n) {
    int a[2];
    if (n == 0) return a[1]; //~ never TRUE
    a[1] = 1;
    return f(n - 1);
}
int main(void) { return f(1); } //~ UNKNOWN the variables of the recursive function
