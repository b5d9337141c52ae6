// check: --check pointers
// engines: bounded
int matrix[2][3];
extern int nondet(void);
int main(void) {
    int i = nondet();
    if (i >= -3 && i <= 3)
        matrix[1][i] = 1; //~ FALSE valid-deref: `matrix[1][i]` is not inside of `matrix`, which has 24 bytes
    return 0;
}
