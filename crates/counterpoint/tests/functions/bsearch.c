// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

static int n;
int c(const void*a,const void*b) {
    n++;
    return *(int*)a-*(int*)b;
}
int main(void) {
    int v[3]={1,2,3},k=2;
    int*r=bsearch(&k,v,3,sizeof(int),c);
    if (n>0 && r==v+1) reach_error();
    return 0;
}
