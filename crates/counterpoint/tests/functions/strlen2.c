// reached, FALSE
#include <string.h>
extern void reach_error(void);

extern void reach_error(void);
int main(void) {
    char a[8]="abcx";
    if (strlen(a)==4 && strchr(a,'x')==a+3 && memcmp(a,"abcx",4)==0) reach_error();
    return 0;
}
