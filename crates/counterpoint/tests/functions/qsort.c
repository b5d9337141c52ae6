// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

int c(const void*a,const void*b) {
    return *(int*)a-*(int*)b;
}
int main(void) {
    int v[3]={3,2,1};
    qsort(v,3,sizeof(int),c);
    if (v[0]==1) reach_error();
    return 0;
}
