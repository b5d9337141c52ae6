// check: --confirm
#include <assert.h>
#include <unistd.h>
int main(void) {
    char b[8];
    long n = read(0, b, 8);
    if (n == 3 && b[2] == 7)
        assert(0); //~ FALSE
    return 0;
}
