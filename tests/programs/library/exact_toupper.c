// check:
#include <ctype.h>
extern void reach_error(void);
int main(void) {
    int x = toupper('a');
    if (x != 'A') reach_error(); //~ never FALSE
    return 0;
}
