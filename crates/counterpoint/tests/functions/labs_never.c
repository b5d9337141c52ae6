// never reached, TRUE
#include <stdlib.h>
extern void reach_error(void);
extern int nondet(void);

int main(void) {
    long x=nondet();
    if (labs(x)<0) reach_error();
    return 0;
}
