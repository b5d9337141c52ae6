// reached, FALSE
#include <math.h>
extern void reach_error(void);

int main(void) {
    double i=7;
    double f=modf(2.5,&i);
    if (i==2.0 && f==0.5) reach_error();
    return 0;
}
