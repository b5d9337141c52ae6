// never reached, TRUE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char a[4]="a,b";
    int x=1;
    strtok(a,",");
    if (x!=1) reach_error();
    return 0;
}
