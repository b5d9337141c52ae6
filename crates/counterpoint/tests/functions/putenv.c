// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

static char v[]="X_Y=a";
int main(void) {
    putenv(v);
    char*q=getenv("X_Y");
    q[0]='b';
    if (v[4]=='b') reach_error();
    return 0;
}
