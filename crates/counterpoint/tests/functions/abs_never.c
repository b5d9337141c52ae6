// never reached, TRUE
#include <stdlib.h>
extern void reach_error(void);
extern int nondet(void);

int main(void) {
    int x=nondet();
    if (x>-1000&&x<1000&&abs(x)<0) reach_error();
    return 0;
}
