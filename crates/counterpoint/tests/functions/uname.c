// reached, UNKNOWN
#include <sys/utsname.h>
extern void reach_error(void);

int main(void) {
    struct utsname u;
    u.sysname[0]=0;
    uname(&u);
    if (u.sysname[0]!=0) reach_error();
    return 0;
}
