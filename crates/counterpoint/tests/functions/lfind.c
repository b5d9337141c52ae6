// reached, UNKNOWN
#include <stdio.h>
#include <search.h>
extern void reach_error(void);

static int n;
int c(const void*a,const void*b) {
    n++;
    return *(int*)a-*(int*)b;
}
int main(void) {
    int v[3]={1,2,3},k=2;
    size_t z=3;
    lfind(&k,v,&z,sizeof(int),c);
    if (n>0) reach_error();
    return 0;
}
