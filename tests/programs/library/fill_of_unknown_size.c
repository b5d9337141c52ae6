// check:
// A fill of unknown size leaves other objects alone.
#include <string.h>
extern void reach_error(void);
extern unsigned nondet(void);
struct s { int state; int *p; };
int main(void) {
    struct s s; char buffer[100]; unsigned n = nondet();
    s.state = 3; s.p = &s.state;
    if (n <= 100) memset(buffer, 1, n);
    if (*s.p != 3) reach_error(); //~ TRUE
    return 0;
}
