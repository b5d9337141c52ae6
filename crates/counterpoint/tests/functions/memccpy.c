// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    memccpy(a,"xyz",'y',3);
    if (a[0]=='x'&&a[2]=='c') reach_error();
    return 0;
}
