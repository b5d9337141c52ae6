// check other: -DCONDITION=*p!=0
// check reached: -DCONDITION=buffer[4]==0
// check contents: -DCONDITION=buffer[0]!='f'
#include <string.h>
extern void reach_error(void);
int main(void) {
    char buffer[10]; int n = 0, *p = &n;
    strcpy(buffer, "five"); //~[contents] UNKNOWN depends on what `strcpy` writes
    if (CONDITION) reach_error(); //~[other] TRUE //~[reached] FALSE //~[contents] never FALSE
    return 0;
}
