// check:
void __CPROVER_assert(_Bool condition, const char *description);
void __CPROVER_assume(_Bool condition);
extern int nondet_int(void);
int main(void) { //~ TRUE
    int x = nondet_int();
    __CPROVER_assume(x >= 0 && x < 5);
    __CPROVER_assert(x < 5, "small");
    return 0;
}
