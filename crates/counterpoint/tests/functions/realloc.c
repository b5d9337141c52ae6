// reached, FALSE
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    int*q=malloc(4);
    *q=3;
    q=realloc(q,8);
    if (*q==3) reach_error();
    return 0;
}
