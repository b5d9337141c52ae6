// check: --confirm
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 0;
    char word[8] = "";
    if (scanf("%d %7s", &x, word) == 2 && x == 11 && word[0] == 'k')
        assert(0); //~ FALSE
    return 0;
}
