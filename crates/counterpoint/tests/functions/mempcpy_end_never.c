// never reached, TRUE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4],b[4]="xyz";
    if ((char*)mempcpy(a,b,2)!=a+2) reach_error();
    return 0;
}
