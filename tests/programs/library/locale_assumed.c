// check:
// Which locales there are is for the environment to say; what is computed is said to be in the one of C.
#include <assert.h>
#include <ctype.h>
#include <locale.h>

int main(void) { //~ TRUE //~ note: assumed: whatever `setlocale` is told, the locale is C's
    setlocale(LC_ALL, "");
    assert(toupper('i') == 'I');
    return 0;
}
