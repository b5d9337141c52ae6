// never reached, TRUE
#include <ctype.h>
extern void reach_error(void);
extern int nondet(void);

#undef isdigit
int main(void) {
    int x=nondet();
    if (x>='0'&&x<='9'&&!(isdigit)(x)) reach_error();
    if (x==65&&(isdigit)(x)) reach_error();
    return 0;
}
