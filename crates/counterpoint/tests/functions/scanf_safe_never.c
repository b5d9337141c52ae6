// never reached, TRUE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    struct{int a,b;}s;
    s.b=1;
    scanf("%d",&s.a);
    if (s.b!=1) reach_error();
    return 0;
}
