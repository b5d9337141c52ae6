// reached, UNKNOWN
#include <stdio.h>
extern void reach_error(void);

int main(int c,char**v) {
    char b[5]="x";
    FILE*f=fopen(v[0],"r");
    fread(b,1,4,f);
    if (b[1]=='E') reach_error();
    return 0;
}
