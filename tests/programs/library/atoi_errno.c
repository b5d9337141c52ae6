// check atoi: -DREAD=atoi
// check atof: -DREAD=atof
// engines: slam auto
// C leaves numbers that are too large undefined; the usual libraries say so in errno.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    READ("999999999999999999999999999e999");
    if (errno)
        reach_error(); //~ never TRUE
    return 0;
}
