// check: --external pure --assume-separate --malloc-never-fails
// check arguments: --malloc-never-fails
// Nobody gives the address of the block away.
#include <stdlib.h>
extern void reach_error(void);
extern int *lookup(void);
int main(void) {
    int *own = malloc(sizeof *own), *other = lookup();
    *own = 1;
    if (own == other) reach_error(); //~ never FALSE
    return 0;
}
