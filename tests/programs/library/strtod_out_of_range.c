// check is_said: -DIS=errno!=ERANGE
// check is_infinite: -DIS=number<1e308
// engines: auto sampling
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) { //~[sampling] TRUE
    errno = 0;
    double number = strtod("1e999", 0);
    if (IS)
        reach_error(); //~ never FALSE
    return 0;
}
