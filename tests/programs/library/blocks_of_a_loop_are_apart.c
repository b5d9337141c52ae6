// check: --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    char *before = 0;
    while (nondet()) {
        char *block = malloc(1);
        if (block == before) reach_error(); //~ TRUE
        before = block;
    }
    return 0;
}
