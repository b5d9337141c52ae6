// check:
#include <fenv.h>
extern void reach_error(void);
int main(void) { //~ TRUE
    if (fegetround() != FE_TONEAREST) reach_error();
    return 0;
}
