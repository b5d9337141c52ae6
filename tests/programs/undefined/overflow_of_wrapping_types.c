// check: --check overflow
// Unsigned and atomic arithmetic wraps around, and what is narrowed does not overflow.
extern unsigned nondet(void);
int main(void) { //~ TRUE
    unsigned u = nondet();
    unsigned char c = (unsigned char)u;
    signed char d = (signed char)u;
    int atomic = (int)u;
    u = u * u + 1;
    c++;
    d += 100;
    __atomic_fetch_add(&atomic, 5, __ATOMIC_SEQ_CST);
    __sync_fetch_and_sub(&atomic, 7);
    int sum;
    return __builtin_add_overflow((int)u, atomic, &sum) + (c > d);
}
