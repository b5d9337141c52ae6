// reached, UNKNOWN
#include <stdio.h>
extern void reach_error(void);

static char b[BUFSIZ];
int main(void) {
    FILE*f=fopen("/etc/passwd","r");
    setvbuf(f,b,_IOFBF,sizeof b);
    fgetc(f);
    if (b[0]) reach_error();
    return 0;
}
