// check puts: -DCALL=puts("text")
// check fputs: -DCALL=fputs("text",stdout)
// check putchar: -DCALL=putchar('t')
// check fflush: -DCALL=fflush(stdout)
// check printf: -DCALL=printf("text")
// check fprintf: -DCALL=fprintf(stdout,"text")
// engines: auto sampling
// A run in which output succeeds is not the only one.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (CALL < 0)
        reach_error(); //~ never TRUE
    return 0;
}
