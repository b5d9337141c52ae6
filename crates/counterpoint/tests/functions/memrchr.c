// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char s[]="abcb";
    if (memrchr(s,'b',4)==s+3) reach_error();
    return 0;
}
