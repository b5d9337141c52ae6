// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc",b[4]="xyz";
    char*r=mempcpy(a,b,2);
    if (a[0]=='x'&&r==a+2) reach_error();
    return 0;
}
