// check: --check uninitialised
// Each time control comes to a declaration the variable has no value.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0) x = 1;
        sum += x; //~ FALSE no-uninitialised-read
    }
    return sum;
}
