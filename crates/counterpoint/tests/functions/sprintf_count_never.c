// never reached, UNKNOWN
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    char a[8];
    if (sprintf(a,"%d",12)!=2) reach_error();
    return 0;
}
