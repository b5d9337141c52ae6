// check inside: -DINDEX=2 --malloc-never-fails
// check beyond: -DINDEX=99 --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
extern unsigned nondet(void);
int main(void) {
    unsigned n = nondet();
    if (n <= INDEX || n > 1000) return 0;
    int *a = calloc(n, sizeof *a); //~[beyond] UNKNOWN depends on what `calloc` writes
    if (a[INDEX] != 0) reach_error(); //~[inside] TRUE //~[beyond] never FALSE
    return 0;
}
