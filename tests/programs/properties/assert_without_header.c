// run executed: --input 10
// check compiled: --confirm
int main(void) { //~[compiled] note: confirmed by
    int x = __VERIFIER_nondet_int();
    assert(x < 10); //~ warning: `assert` is called without `<assert.h>`: it is taken for the assertion of the C library
    //~^[compiled] FALSE: assertion `x < 10`
    //~^^[executed] error: assertion failed: x < 10
    return 0;
}
