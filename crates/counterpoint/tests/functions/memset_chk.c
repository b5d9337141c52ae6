// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    __builtin___memset_chk(a,7,2,4);
    if (a[1]==7&&a[2]=='c') reach_error();
    return 0;
}
