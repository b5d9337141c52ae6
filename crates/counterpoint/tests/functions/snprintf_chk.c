// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    int n=__builtin___snprintf_chk(a,2,0,4,"%s","xyz");
    if (n==3&&a[0]=='x'&&a[1]==0) reach_error();
    return 0;
}
