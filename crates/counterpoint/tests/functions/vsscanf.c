// reached, FALSE
#include <stdio.h>
#include <stdarg.h>
extern void reach_error(void);

int f(const char*s,...) {
    va_list a;
    va_start(a,s);
    int r=vsscanf("5",s,a);
    va_end(a);
    return r;
}
int main(void) {
    int x=1;
    f("%d",&x);
    if (x==5) reach_error();
    return 0;
}
