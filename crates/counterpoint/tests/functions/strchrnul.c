// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char s[]="abc";
    if (strchrnul(s,'x')==s+3) reach_error();
    return 0;
}
