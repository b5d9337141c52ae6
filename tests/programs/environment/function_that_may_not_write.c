// check:
#include <assert.h>
#include <string.h>
extern int put(const char *buffer, unsigned size);
int main(void) {
    char b[4];
    memset(b, 0, sizeof b);
    put(b, sizeof b);
    if (b[3] == 'k')
        assert(0); //~ never FALSE
    return 0;
} //~ TRUE
