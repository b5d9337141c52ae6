// check: --ltl (!call(apply))W(call(prepare)) --no-explain
// engines: slam
extern int __VERIFIER_nondet_int(void);
static void prepare(void) {}
static void apply(void) {}
int main(void) { //~ TRUE
    prepare();
    while (__VERIFIER_nondet_int())
        apply();
    return 0;
}
