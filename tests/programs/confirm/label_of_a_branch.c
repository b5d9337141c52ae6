// check: --error-label ERROR --confirm
// The label stands where one statement has to stay one statement.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 3)
        ERROR: x++; //~ FALSE unreach-label //~ note: confirmed by running the compiled program
    else
        x--;
    return 0;
}
