// reached, UNKNOWN
#include <time.h>
extern void reach_error(void);

int main(void) {
    time_t z=0,y=400L*86400;
    struct tm*t=gmtime(&z);
    int a=t->tm_year;
    gmtime(&y);
    if (t->tm_year!=a) reach_error();
    return 0;
}
