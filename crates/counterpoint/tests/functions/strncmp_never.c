// never reached, UNKNOWN
#include <string.h>
extern void reach_error(void);
extern int nondet(void);

extern void reach_error(void);
int main(void) {
    char a[4]="abc", b[6]="abd";
    int n=nondet();
    if (n==1) a[2]='d';
    if (strncmp(a,b,2)!=0) reach_error();
    if (n==1 && strcmp(a,b)!=0) reach_error();
    if (n!=1 && strcmp(a,b)>=0) reach_error();
    return 0;
}
