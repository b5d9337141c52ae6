// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="a,b";
    strtok(a,",");
    char *q=strtok(0,",");
    if (a[1]==0 && q==a+2) reach_error();
    return 0;
}
