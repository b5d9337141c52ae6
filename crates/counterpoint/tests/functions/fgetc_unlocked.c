// reached, FALSE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    int c=getc_unlocked(stdin);
    if (c==-1) reach_error();
    return 0;
}
