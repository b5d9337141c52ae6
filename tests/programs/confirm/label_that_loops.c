// check: --error-label ERROR --confirm
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 3) goto ERROR;
    return 0;
ERROR: goto ERROR; //~ FALSE unreach-label //~ note: confirmed by running the compiled program
}
