// check LITERAL: --check pointers -DLITERAL
// check TABLE: --check pointers -DTABLE
// check INSIDE: --check pointers -DINSIDE
// check FILLED: --check pointers -DFILLED
// check COPIED: --check pointers -DCOPIED
// check CHOSEN: --check pointers -DCHOSEN
// engines: bounded
// What is constant must not be written, whichever way there is to it.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static const int table[3] = {1, 2, 3};
const char *name = "abc";
static const struct { int a, b; } pair = {1, 2};

static void put(char *to, int n) {
    to[n] = 'x'; //~[LITERAL] FALSE valid-deref: a string literal, which is constant
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    char own[4] = "abc";
#if defined LITERAL
    if (n >= 0 && n < 4)
        put(n == 3 ? (char *)name : own, n);
#elif defined TABLE
    int *q = (int *)&table[0];
    if (n >= 0 && n < 3)
        q[n] = 5; //~[TABLE] FALSE valid-deref: `table`, which is constant
#elif defined INSIDE
    *(int *)&pair.b = n; //~[INSIDE] FALSE valid-deref: `pair`, which is constant
#elif defined FILLED
    char *p = n ? (char *)name : own;
    memset(p, 0, 2); //~[FILLED] FALSE valid-deref: `memset` writes to a string literal, which is constant
#elif defined COPIED
    strcpy((char *)name + 1, "d"); //~[COPIED] FALSE valid-deref: `strcpy` writes to a string literal, which is constant
#elif defined CHOSEN
    const char *all[2] = {"abc", own};
    ((char *)all[n & 1])[0] = 'x'; //~[CHOSEN] FALSE valid-deref: a string literal, which is constant
#endif
    return own[0];
}
