// check variable:
// check block: -DBLOCK
// check memory: -DMEMORY
// check function: -DFUNCTION
// check later: -DLATER
// check global: -DGLOBAL
// A function without a body does not guess: what it returns is null, its own, or what it was given before.
#include <stdlib.h>
extern void reach_error(void);
struct holder { int *held; };
extern void *somewhere(void);
extern struct holder *holder(void);
extern void (*handler(void))(void);
extern void give(int *x);
extern int *outside;
static void own(void) {}
int main(void) {
#if defined BLOCK
    int *p = malloc(sizeof *p);
    if (p && somewhere() == p)
        reach_error(); //~[block] never FALSE //~[block] UNKNOWN address of memory that nobody gave it
#elif defined MEMORY
    int x = 0;
    struct holder *h = holder();
    if (h && h->held == &x)
        reach_error(); //~[memory] never FALSE //~[memory] UNKNOWN the address of `x`, which nobody gave it
#elif defined FUNCTION
    if (handler() == own)
        reach_error(); //~[function] never FALSE //~[function] UNKNOWN the address of `own`, which nobody gave it
#elif defined LATER
    int x = 0;
    if (somewhere() == &x)
        reach_error(); //~[later] never FALSE //~[later] UNKNOWN the address of `x`, which nobody gave it
    give(&x);
#elif defined GLOBAL
    static int x;
    if (outside == &x)
        reach_error(); //~[global] never FALSE //~[global] UNKNOWN the address of `x`, which nobody gave it
#else
    int x = 0;
    if (somewhere() == &x)
        reach_error(); //~[variable] never FALSE //~[variable] UNKNOWN the address of `x`, which nobody gave it
#endif
    return 0;
}
