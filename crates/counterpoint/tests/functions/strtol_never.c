// never reached, UNKNOWN
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
    char*e;
    if (strtol("12x",&e,10)!=12) reach_error();
    return 0;
}
