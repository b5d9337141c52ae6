// reached, FALSE
#include <wchar.h>
extern void reach_error(void);

int main(void) {
    wchar_t a[3]=L"ab";
    wmemset(a,L'x',2);
    if (a[1]==L'x') reach_error();
    return 0;
}
