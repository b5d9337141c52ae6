// check:
#include <wchar.h>
extern void reach_error(void);
int main(void) {
    wchar_t a[2] = {0, 0};
    wcscpy(a, L"x");
    if (a[0] == 'x') reach_error(); //~ never TRUE
    return 0;
}
