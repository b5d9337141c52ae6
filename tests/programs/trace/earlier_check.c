// check:
// An earlier check that did not fail decides nothing.
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int one = 1; //~ no trace
    if (one != 1) //~ no trace
        goto ERROR;
    if (x == 7) //~ trace: [x == 7 with x = 7]
        goto ERROR;
    return 0;
ERROR:
    reach_error(); //~ FALSE
    return 1;
}
