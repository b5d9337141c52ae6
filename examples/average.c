/* The mean of what was asked for: the sum may not fit, and there may be nothing to divide by. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0, count = 0, value;
    while ((value = __VERIFIER_nondet_int()) >= 0) {
        sum += value;
        count++;
    }
    return sum / count;
}
