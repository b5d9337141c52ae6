// never reached, TRUE
#include <string.h>
extern void reach_error(void);
extern int nondet(void);

extern void reach_error(void);
int main(void) {
    char a[8];
    int n=nondet();
    memcpy(a,"abc",4);
    if (n==3) a[0]='x';
    if (strlen(a)!=3) reach_error();
    return 0;
}
