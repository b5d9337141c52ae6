// reached, FALSE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    int x=1;
    sscanf("5","%d",&x);
    if (x==5) reach_error();
    return 0;
}
