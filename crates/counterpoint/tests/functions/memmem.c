// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char s[]="abcb";
    if (memmem(s,4,"cb",2)==s+2) reach_error();
    return 0;
}
