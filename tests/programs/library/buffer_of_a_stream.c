// check setbuf: -DBUFFER=setbuf(stdout,buffer)
// check setvbuf: -DBUFFER=setvbuf(stdout,buffer,_IOFBF,sizeof(buffer))
// engines: slam auto
// Output goes through the program's own memory.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    static char buffer[BUFSIZ];
    BUFFER; //~ UNKNOWN keeps and uses later
    puts("text");
    if (buffer[0] == 't')
        reach_error(); //~ never TRUE
    return 0;
}
