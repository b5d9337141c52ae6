// check copy: -DDO(p,a)=memcpy(p,a,0)
// check source: -DDO(p,a)=memcpy(a,p,0)
// check fill: -DDO(p,a)=memset(p,0,0)
// check move: -DDO(p,a)=memmove(a,p,0)
// check search: -DDO(p,a)=memchr(p,1,0)
// check compare: -DDO(p,a)=memcmp(p,a,0)
// check variable: -DDO(p,a)=memset(p,0,n)
// Where no byte is touched, a run goes on with a null pointer.
#include <string.h>
extern void reach_error(void);
extern int nondet(void);
int main(void) {
    char a[2] = {1, 0};
    char *p = nondet() ? a : 0;
    unsigned long n = nondet() ? 1 : 0;
    (void)DO(p, a);
    if (!p)
        reach_error(); //~ FALSE
    return 0;
}
