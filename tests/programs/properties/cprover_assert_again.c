// run executed: --input 3
// check compiled: --confirm
extern int nondet_int(void);
int main(void) { //~[compiled] note: confirmed by
    int x = nondet_int();
    __CPROVER_assume(x >= 0 && x < 5);
    __CPROVER_assert(x < 5, "small");
    __CPROVER_assert(x != 3, "x is not three"); //~[compiled] FALSE: assertion `x is not three`
    //~^[executed] error: assertion failed: x is not three
    return 0;
}
