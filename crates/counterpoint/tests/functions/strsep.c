// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="a,b";
    char*s=a;
    char*t=strsep(&s,",");
    if (s==a+2 && a[1]==0 && t==a) reach_error();
    return 0;
}
