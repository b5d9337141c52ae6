// check: --ltl (!call(apply))W(call(prepare)) --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
static void prepare(void) {}
static void apply(void) {}
int main(void) {
    if (__VERIFIER_nondet_int())
        prepare();
    apply(); //~ FALSE valid-ltl
    return 0;
}
