// reached, UNKNOWN
#include <search.h>
extern void reach_error(void);

static int n;
int c(const void*a,const void*b) {
    n++;
    return *(int*)a-*(int*)b;
}
int main(void) {
    void*r=0;
    int x=1,y=2;
    tsearch(&x,&r,c);
    tsearch(&y,&r,c);
    if (n) reach_error();
    return 0;
}
