// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    __builtin___sprintf_chk(a,0,4,"%d",7);
    if (a[0]=='7') reach_error();
    return 0;
}
