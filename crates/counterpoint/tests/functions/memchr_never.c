// never reached, TRUE
#include <string.h>
extern void reach_error(void);

int main(void) {
    if (memchr("abc",'b',3)==0) reach_error();
    return 0;
}
