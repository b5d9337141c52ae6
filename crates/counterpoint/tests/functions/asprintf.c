// reached, FALSE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    char*l=0;
    asprintf(&l,"%d",5);
    if (l && l[0]=='5') reach_error();
    return 0;
}
