// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    explicit_bzero(a,2);
    if (a[0]==0) reach_error();
    return 0;
}
