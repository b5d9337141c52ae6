// check: --ltl 'G(!call(forbidden))' --no-explain
extern int __VERIFIER_nondet_int(void);
void forbidden(void) {}
void allowed(void) {}
int main(void) {
    void (*other)(void) = forbidden;
    void (*pointer)(void) = allowed;
    if (__VERIFIER_nondet_int())
        other(); //~ FALSE valid-ltl
    return pointer == 0;
}
