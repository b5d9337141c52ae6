// check: --error-function fail --confirm
// The function is called by a pointer, is named in texts before it is defined, and is inline by all means.
extern int __VERIFIER_nondet_int(void);
typedef int fail_type(void);
static fail_type fail;
#define CALL(f) f ()
static __inline__ __attribute__((__always_inline__)) int fail(void) { return 0; }
int main(void) {
    fail_type *pointer = fail;
    if (__VERIFIER_nondet_int() == 3)
        return CALL(pointer); //~ FALSE: call of `fail` //~ note: confirmed by running the compiled program
    return 0;
}
