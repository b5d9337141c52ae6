// reached, FALSE
#include <math.h>
extern void reach_error(void);

int main(void) {
    int q=77;
    remquo(7.0,2.0,&q);
    if (q==4||q==3) reach_error();
    return 0;
}
