// never reached, TRUE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    int x=5;
    printf("%d\n",x);
    if (x!=5) reach_error();
    return 0;
}
