// reached, FALSE
#include <stdio.h>
extern void reach_error(void);

extern void*__memcpy_chk(void*,const void*,size_t,size_t);
int main(void) {
    char a[4]="abc";
    __memcpy_chk(a,"xy",2,4);
    if (a[0]=='x') reach_error();
    return 0;
}
