// never reached, TRUE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    int x=1;
    setvbuf(stdout,0,_IONBF,0);
    if (x!=1) reach_error();
    return 0;
}
