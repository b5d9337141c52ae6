// check: --confirm
#include <assert.h>
#include <string.h>
extern int fill(char *buffer, unsigned size);
int main(void) {
    char b[16];
    memset(b, 0, sizeof b);
    if (fill(b, sizeof b) < 0)
        return 1;
    if (b[3] == 'k' && b[9] == 'm')
        assert(0); //~ FALSE
    return 0;
}
