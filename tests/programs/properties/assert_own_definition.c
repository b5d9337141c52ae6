// check:
extern void abort(void);
void reach_error(void) {}
void __assert(int condition) {
    if (!condition)
        reach_error();
}
void assert(int condition) {
    __assert(condition);
}
int main(void) { //~ TRUE
    int x = 1;
    __assert(x == 1);
    assert(x);
    return 0;
}
