// never reached, UNKNOWN
#include <math.h>
extern void reach_error(void);

int main(void) {
    double i;
    double f=modf(2.5,&i);
    if (f!=0.5||i!=2.0) reach_error();
    return 0;
}
