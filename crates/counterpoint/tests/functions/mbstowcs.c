// reached, UNKNOWN
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    wchar_t a[3]=L"ab";
    mbstowcs(a,"x",3);
    if (a[0]==L'x') reach_error();
    return 0;
}
