// reached, UNKNOWN
#include <string.h>
#include <time.h>
extern void reach_error(void);

int main(void) {
    char b[20]="x";
    struct tm t;
    memset(&t,0,sizeof t);
    strftime(b,20,"%Y",&t);
    if (b[0]=='1') reach_error();
    return 0;
}
