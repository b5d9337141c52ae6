// check: --check overflow
#include <stdlib.h>
extern long nondet(void);
int main(void) {
    long n = nondet();
    return labs(n) > 3; //~ FALSE no-overflow: signed overflow: the absolute value of `n` does not fit `long`
}
