// check WRITTEN: --check pointers -DWRITTEN
// check NOTHING: --check pointers -DNOTHING
// check LOCAL: --check pointers -DLOCAL
// engines: bounded
// Pointers may lead to constants where nothing is written.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) { //~ TRUE
    int n = __VERIFIER_nondet_int();
    char own[4] = "abc";
#if defined WRITTEN
    char *p = n ? "abc" : own;
    if (!n)
        p[1] = 'x';
    return p[1];
#elif defined NOTHING
    char *p = n ? "abc" : own;
    memset(p, 0, n ? 0 : 2);
    return p[0];
#else
    const int local = n;
    const int *q = &local;
    int other = 3;
    if (n)
        q = &other;
    other = *q;
    return other;
#endif
}
