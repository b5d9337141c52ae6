// reached, FALSE
#include <math.h>
extern void reach_error(void);

int main(void) {
    if (ldexp(1.5,4)==24.0) reach_error();
    return 0;
}
