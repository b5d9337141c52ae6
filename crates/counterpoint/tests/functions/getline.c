// reached, UNKNOWN
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    char*l=0;
    size_t n=0;
    FILE*f=fopen("/etc/passwd","r");
    if (!f) return 1;
    if (getline(&l,&n,f)>0 && n!=0 && l!=0) reach_error();
    return 0;
}
