// check: --check overflow
// The size of an array of variable length is nothing that the program computes.
extern int nondet(void);
int main(void) { //~ TRUE
    int n = nondet();
    if (n < 1)
        return 0;
    int row[n], square[n][n];
    row[n - 1] = 1;
    square[0][n - 1] = 2;
    return row[n - 1] == 1;
}
