// check: --check pointers
// engines: bounded
extern int nondet(void);
static void twice(int *number) { *number *= 2; }
int main(void) { //~ TRUE
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int number = nondet() & 7;
        int *at = &number;
        twice(at);
        twice(&number);
        sum += *at;
    }
    return sum;
}
