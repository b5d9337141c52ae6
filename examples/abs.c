/* The distance of two readings. Every pair of small ones is fine; the one number whose negation does not fit is not. */
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int absolute(int x)
{
    return x < 0 ? -x : x;
}

int main(void)
{
    int distance = absolute(__VERIFIER_nondet_int() - __VERIFIER_nondet_int());
    printf("distance %d\n", distance);
    assert(distance >= 0);
    return 0;
}
