// check: --check pointers
// engines: bounded
extern int nondet(void);
static int one(void) { return 1; }
int main(void) {
    int (*f)(void) = nondet() ? one : 0;
    return f(); //~ FALSE valid-deref: a call through `f`, which is null
}
