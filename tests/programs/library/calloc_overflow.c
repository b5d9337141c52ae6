// check given: -DIS=block
// check null: -DIS=!block
// check never: -DIS=!block --malloc-never-fails
// check input: -DCOUNT=count -DIS=block&&count>=(~(size_t)0)/4
// engines: slam auto
// There is no block of more bytes than a size can say.
#include <stdlib.h>
extern void reach_error(void);
extern size_t __VERIFIER_nondet_ulong(void);
#ifndef COUNT
#define COUNT (~(size_t)0 / 2)
#endif
int main(void) { //~[given,input] TRUE
    size_t count = __VERIFIER_nondet_ulong();
    char *block = calloc(COUNT, 8);
    if (IS)
        reach_error(); //~[null,never] FALSE
    return 0;
}
