// check: --check division
extern int nondet(void);
int main(void) {
    int n = nondet(), sum = 0, count = 0;
    for (int i = 0; i < 3; i++)
        if (n > i) {
            sum += i;
            count++;
        }
    return sum / count; //~ FALSE no-division-by-zero: division by zero: `sum / count`
}
