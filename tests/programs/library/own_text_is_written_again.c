// check strerror: -DTEXT(n)=strerror(n)
// check strsignal: -DTEXT(n)=strsignal(n)
// engines: slam auto
// Each call may write where the one before it did.
#include <string.h>
extern void reach_error(void);
int main(void) {
    char *text = TEXT(1234), first = text[0];
    TEXT(5678);
    if (text[0] != first)
        reach_error(); //~ never TRUE
    return 0;
}
