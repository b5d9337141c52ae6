// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    __builtin___memmove_chk(a,"xy",2,4);
    if (a[0]=='x') reach_error();
    return 0;
}
