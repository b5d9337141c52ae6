// check: --malloc-never-fails
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int local;
    unsigned long a = (unsigned long)malloc(4), b = (unsigned long)&local;
    if (a > b) reach_error(); //~ never TRUE //~ never FALSE //~ UNKNOWN the answer may depend on where objects lie in memory
    return 0;
}
