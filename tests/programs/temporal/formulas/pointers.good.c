// check: --ltl 'G(!call(forbidden))' --no-explain
extern int __VERIFIER_nondet_int(void);
void forbidden(void) {}
void allowed(void) {}
int main(void) { //~ TRUE
    void (*other)(void) = forbidden;
    void (*pointer)(void) = allowed;
    if (__VERIFIER_nondet_int())
        pointer();
    return other == 0;
}
