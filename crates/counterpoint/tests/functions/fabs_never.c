// never reached, TRUE
#include <math.h>
extern void reach_error(void);
extern int nondet(void);

int main(void) {
    double d=nondet();
    if (fabs(d)<0) reach_error();
    return 0;
}
