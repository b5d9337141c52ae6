// reached, FALSE
#include <unistd.h>
extern void reach_error(void);

int main(void) {
    char a[3]="ab",b[3]="xy";
    swab(a,b,2);
    if (b[0]=='b') reach_error();
    return 0;
}
