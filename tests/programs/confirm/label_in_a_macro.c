// check: --error-label ERROR --confirm
extern int __VERIFIER_nondet_int(void);
#define FAIL ERROR: return 1
int main(void) {
    if (__VERIFIER_nondet_int() == 3)
        goto ERROR;
    return 0;
    FAIL; //~ FALSE unreach-label
}
//~ note: not confirmed: macros or headers have to do with the label `ERROR`
