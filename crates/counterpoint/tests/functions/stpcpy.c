// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    char*r=stpcpy(a,"x");
    if (a[0]=='x'&&r==a+1) reach_error();
    return 0;
}
