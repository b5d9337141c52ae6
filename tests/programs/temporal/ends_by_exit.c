// check: --property termination
// engines: induction
extern int __VERIFIER_nondet_int(void);
extern void exit(int);
int main(void) { //~[induction] TRUE
    int i = 0;
    while (1) {
        if (i >= 10)
            exit(0);
        i++;
    }
}
