// check putchar: -DCALL=putchar('a') -DIS==='b'
// check putchar_fails: -DCALL=putchar('a') -DIS===-1
// check fprintf: -DCALL=fprintf(stdout,"text") -DIS===77
// check fprintf_fails: -DCALL=fprintf(stdout,"text") -DIS=<0
// check fprintf_is: -DCALL=fprintf(stdout,"text") -DIS===4
// engines: slam auto
// Output fails, or gives what it wrote.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (CALL IS) //~[putchar,fprintf] UNKNOWN returns, which is not followed
        reach_error(); //~[putchar_fails,fprintf_fails,fprintf_is] FALSE //~[putchar,fprintf] never FALSE
    return 0;
}
