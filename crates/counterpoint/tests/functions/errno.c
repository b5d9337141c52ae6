// reached, FALSE
#include <stdlib.h>
#include <string.h>
#include <errno.h>
extern void reach_error(void);

int main(void) {
    errno=0;
    strtol("99999999999999999999999",0,10);
    if (errno!=0) reach_error();
    return 0;
}
