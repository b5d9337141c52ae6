// reached, UNKNOWN
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    char b[4]="x";
    FILE*f=fopen("/etc/passwd","r");
    fgets(b,4,f);
    if (b[0]!='x') reach_error();
    return 0;
}
