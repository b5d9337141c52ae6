// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
static int search(int low, int high) {
    if (low >= high) //~[induction] FALSE termination: is called again as it was before
        return low;
    return search(low, low + (high - low + 1) / 2);
}
int main(void) {
    return search(0, 10);
}
