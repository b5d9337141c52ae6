// check few: -DN=4
// check more: -DN=5
// engines: bounded
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void put(unsigned char *to, const unsigned char *from, unsigned n) { memcpy(to, from, n); }
int main(void) { //~[few] TRUE
    unsigned char a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {0};
    unsigned n = __VERIFIER_nondet_uint();
    if (n > N)
        return 0;
    put(b, a, n);
    if (b[4])
        reach_error(); //~[more] FALSE
    return 0;
}
