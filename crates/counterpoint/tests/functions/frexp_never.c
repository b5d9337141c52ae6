// never reached, UNKNOWN
#include <math.h>
extern void reach_error(void);

int main(void) {
    int e;
    double f=frexp(8.0,&e);
    if (f!=0.5||e!=4) reach_error();
    return 0;
}
