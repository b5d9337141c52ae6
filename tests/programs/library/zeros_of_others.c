// check:
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) { //~ TRUE
    unsigned x = nondet();
    if (x != 0 && (__builtin_clz(x) > 31 || __builtin_ctz(x) > 31 || __builtin_clz(x | 0x80000000u) != 0)) reach_error();
    return 0;
}
