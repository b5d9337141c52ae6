// reached, UNKNOWN
#include <unistd.h>
extern void reach_error(void);

int main(void) {
    char b[4096]="x";
    getcwd(b,sizeof b);
    if (b[0]=='/') reach_error();
    return 0;
}
