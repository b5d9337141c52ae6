// check:
#include <assert.h>
#include <unistd.h>
int main(void) {
    char b[8] = {0};
    long n = read(0, b, 8);
    if (n == 2 && b[2] == 7)
        assert(0); //~ never FALSE
    return 0;
}
