// reached, FALSE
#include <stdio.h>
#include <stdarg.h>
extern void reach_error(void);

int f(const char*s,...) {
    va_list a;
    va_start(a,s);
    int r=vprintf(s,a);
    va_end(a);
    return r;
}
int main(void) {
    int x=77;
    f("ab%n\n",&x);
    if (x==2) reach_error();
    return 0;
}
