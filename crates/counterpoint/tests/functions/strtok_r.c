// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[6]="a,b,c";
    char*s;
    strtok_r(a,",",&s);
    strtok_r(0,",",&s);
    if (a[3]==0) reach_error();
    return 0;
}
