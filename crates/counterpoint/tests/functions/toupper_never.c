// never reached, TRUE
#include <ctype.h>
extern void reach_error(void);

int main(void) {
    if ((toupper)('a')!='A') reach_error();
    return 0;
}
