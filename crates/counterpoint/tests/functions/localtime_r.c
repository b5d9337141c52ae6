// reached, UNKNOWN
#include <string.h>
#include <time.h>
extern void reach_error(void);

int main(void) {
    struct tm t;
    time_t z=0;
    memset(&t,0,sizeof t);
    localtime_r(&z,&t);
    if (t.tm_year!=0) reach_error();
    return 0;
}
