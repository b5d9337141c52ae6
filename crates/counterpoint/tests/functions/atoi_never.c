// never reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    if (atoi("-7")!=-7) reach_error();
    return 0;
}
