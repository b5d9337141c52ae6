// reached, FALSE
#include <wchar.h>
extern void reach_error(void);

int main(void) {
    wchar_t a[4]=L"abc";
    wcscpy(a,L"x");
    if (a[0]=='x') reach_error();
    return 0;
}
