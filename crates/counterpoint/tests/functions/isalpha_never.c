// never reached, TRUE
#include <ctype.h>
extern void reach_error(void);
extern int nondet(void);

int main(void) {
    int c=nondet();
    if ((isalpha)(c)&&c>=0&&c<'A') reach_error();
    return 0;
}
