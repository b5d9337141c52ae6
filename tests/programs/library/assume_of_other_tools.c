// check:
extern void reach_error(void);
extern int nondet(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
int main(void) {
    int x = nondet();
    __ESBMC_assume(x > 5);
    if (x < 3) reach_error();
    __ESBMC_assert(x != 7, "seven"); //~ FALSE
    return 0;
}
