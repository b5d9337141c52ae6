// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char s[]="abcb";
    if (strpbrk(s,"xc")==s+2) reach_error();
    return 0;
}
