// check printf: -DCALL=printf("text")
// check perror: -DCALL=perror("text")
// check sqrt: -DCALL=sqrt(-1)
// check log: -DCALL=log(0)
// check exp: -DCALL=exp(99999)
// check strtod: -DCALL=strtod("1e999",0)
// check strtod_small: -DCALL=strtod("1e-999",0)
// check atoi: -DCALL=atoi("99999999999999999999999")
// engines: auto sampling
// What may set errno does so in some run.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    CALL;
    if (errno)
        reach_error(); //~ never TRUE
    return 0;
}
