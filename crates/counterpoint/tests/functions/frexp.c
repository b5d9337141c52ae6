// reached, FALSE
#include <math.h>
extern void reach_error(void);

int main(void) {
    int e=7;
    frexp(8.0,&e);
    if (e==4) reach_error();
    return 0;
}
