// never reached, TRUE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char s[]="abc";
    if (strchr(s,'b')!=s+1) reach_error();
    return 0;
}
